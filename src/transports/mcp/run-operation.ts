/** Runs operations by name, with the types that their contracts give them. */
import type { OperationName, Operations } from '../../operation-types.ts';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import type { Operation } from '../../platform/core/operation.ts';

/** Runs an operation; its input is checked there again. */
export type RunOperation = <Name extends OperationName>(
  name: Name,
  input: Operations[Name]['input'],
) => Promise<Operations[Name]['output']>;

/** The fields of an operation's input. */
export type FieldsOf = <Name extends OperationName>(name: Name) => Operations[Name]['fields'];

export interface OperationsByName<Context> {
  has(...names: OperationName[]): boolean;
  fieldsOf: FieldsOf;
  runnerOf(call: McpCall<Context>): RunOperation;
}

/** The one place where the table's values meet the generated types of the same table. */
export function operationsByName<Context>(
  operations: readonly Operation<Context>[],
): OperationsByName<Context> {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const find = (name: OperationName): Operation<Context> => {
    const operation = byName.get(name);
    if (!operation) throw new Error(`The operation ${name} is not in the table`);
    return operation;
  };
  return {
    has: (...names) => names.every((name) => byName.has(name)),
    fieldsOf: (name) => find(name).input.shape as never,
    runnerOf: (call) => (name, input) => call.run(find(name), input) as Promise<never>,
  };
}
