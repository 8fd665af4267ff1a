/** Runs operations by name, with the types of their contracts. */
import type { OperationName, Operations } from '../../operation-types.ts';
import type { Operation } from '../../platform/core/operations/operation.ts';
import type { McpCall } from '../../platform/core/ports/mcp-endpoint.ts';

/** Runs an operation, which validates its input again. */
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

/** The only cast between the operations table and the types generated from it. */
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
