/** Replies of MCP tools leave out the fields that are null in the reply of an operation: models read fewer tokens. */

export type WithoutNulls<Value> = Value extends readonly (infer Item)[]
  ? WithoutNulls<Item>[]
  : Value extends object
    ? { [Key in keyof Value as null extends Value[Key] ? never : Key]: WithoutNulls<Value[Key]> } & {
        [Key in keyof Value as null extends Value[Key] ? Key : never]?: WithoutNulls<NonNullable<Value[Key]>>;
      }
    : Value;

/** Only the fields of the object itself, not those of objects in it. */
export function withoutNulls<Value extends object>(value: Value): WithoutNulls<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) as WithoutNulls<Value>;
}
