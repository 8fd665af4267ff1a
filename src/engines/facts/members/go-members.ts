/** Types of Go with their members, and what members of some names are used on. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { packageName } from '../free-names/go-names.ts';
import { children, field, fields, unquote } from '../languages/rules.ts';
import type { Expression, FileMembers, MemberDefinition, MemberUse, TypeMembers } from './file-members.ts';

/** An expression of more parts has no type. */
const MAX_DEPTH = 20;

export function readGoMembers(root: Node, wanted: ReadonlySet<string>): Omit<FileMembers, 'unread'> {
  const types = new Map<string, TypeMembers>();
  const methods: FileMembers['methods'] = [];
  const functions = new Map<string, MemberDefinition>();
  const variables = new Map<string, Expression>();
  for (const node of children(root)) {
    if (node.type === 'type_declaration') for (const spec of children(node)) readType(spec, types);
    if (node.type === 'function_declaration') {
      const member = memberOf(node);
      if (member) functions.set(member.name, member);
    }
    if (node.type === 'method_declaration') {
      const of = /\*?\s*(\w+)\s*(?:\[[^\]]*\])?\s*,?\s*\)$/.exec(field(node, 'receiver')?.text ?? '')?.[1];
      const member = memberOf(node);
      if (of !== undefined && member) methods.push({ of, member });
    }
    if (node.type === 'var_declaration')
      for (const spec of node.descendantsOfType('var_spec')) if (spec) readVariable(spec, variables);
  }
  return {
    package: root.descendantsOfType('package_identifier')[0]?.text ?? '',
    imports: root.descendantsOfType('import_spec').flatMap((spec) => {
      const module = unquote(spec && field(spec, 'path'));
      return module === ''
        ? []
        : [{ module, name: field(spec!, 'name')?.text ?? packageName(module), isStatic: false }];
    }),
    ...{ types, methods, functions, variables },
    uses: wanted.size === 0 ? [] : readUses(root, wanted),
  };
}

function readType(spec: Node, types: Map<string, TypeMembers>): void {
  const name = field(spec, 'name');
  const type = field(spec, 'type');
  if (!name || !type || (spec.type !== 'type_spec' && spec.type !== 'type_alias')) return;
  const members: MemberDefinition[] = [];
  const parents: string[] = [];
  if (type.type === 'struct_type') {
    for (const each of children(type.firstNamedChild)) {
      if (each.type !== 'field_declaration') continue;
      const written = typeText(field(each, 'type'));
      const names = fields(each, 'name');
      if (names.length === 0 && written !== null) parents.push(written);
      for (const one of names)
        members.push({
          ...{ name: one.text, kind: 'field', line: one.startPosition.row + 1, type: written },
          ...{ isPrivate: false, isOverride: false },
        });
    }
  } else if (type.type === 'interface_type') {
    for (const each of children(type)) {
      const member = each.type === 'method_elem' ? memberOf(each) : undefined;
      if (member) members.push(member);
      else if (each.type === 'type_elem') parents.push(each.text);
    }
  } else if (spec.type === 'type_alias') parents.push(type.text);
  const kinds: Record<string, TypeMembers['kind']> = { struct_type: 'class', interface_type: 'interface' };
  const line = name.startPosition.row + 1;
  types.set(name.text, {
    name: name.text,
    kind: kinds[type.type] ?? 'other',
    line,
    parents,
    members,
    annotations: [],
  });
}

function memberOf(node: Node): MemberDefinition | undefined {
  const name = field(node, 'name');
  if (!name) return undefined;
  const results = resultsOf(field(node, 'result'));
  return {
    ...{
      name: name.text,
      kind: 'method',
      line: name.startPosition.row + 1,
      type: results[0] ?? null,
      results,
    },
    ...{ parameters: countOf(field(node, 'parameters')), isPrivate: false, isOverride: false },
  };
}

function resultsOf(node: Node | null): string[] {
  if (!node) return [];
  if (node.type !== 'parameter_list') return [typeText(node) ?? ''];
  return children(node).flatMap((each) => {
    if (each.type !== 'parameter_declaration') return [];
    const type = typeText(field(each, 'type')) ?? '';
    return Array.from({ length: Math.max(1, fields(each, 'name').length) }, () => type);
  });
}

function countOf(list: Node | null): { required: number; total: number | null } {
  let required = 0;
  let isVariadic = false;
  for (const each of children(list)) {
    if (each.type === 'variadic_parameter_declaration') isVariadic = true;
    else if (each.type === 'parameter_declaration') required += Math.max(1, fields(each, 'name').length);
  }
  return { required, total: isVariadic ? null : required };
}

/** Null for parameters of types, which can be anything. */
function typeText(node: Node | null): string | null {
  if (!node) return null;
  const own = /^[*[\]]*(\w+)$/.exec(node.text)?.[1];
  return own !== undefined && isTypeParameter(node, own) ? null : node.text;
}

function isTypeParameter(from: Node, name: string): boolean {
  for (let at: Node | null = from; at; at = at.parent) {
    const list = field(at, 'type_parameters');
    if (list && new RegExp(`\\b${name}\\b`).test(list.text)) return true;
    const receiver = at.type === 'method_declaration' ? field(at, 'receiver') : null;
    if (receiver && new RegExp(`\\[[^\\]]*\\b${name}\\b[^\\]]*\\]`).test(receiver.text)) return true;
  }
  return false;
}

function readVariable(spec: Node, variables: Map<string, Expression>): void {
  const type = field(spec, 'type');
  const names = fields(spec, 'name').filter((each) => each.type === 'identifier');
  for (const [index, name] of names.entries()) {
    const value = children(field(spec, 'value'))[index];
    const found: Expression | null = type
      ? { kind: 'typed', type: type.text }
      : names.length === 1 && value
        ? expressionOf(value, 0)
        : null;
    if (found) variables.set(name.text, found);
  }
}

function readUses(root: Node, wanted: ReadonlySet<string>): MemberUse[] {
  return root.descendantsOfType('selector_expression').flatMap((node): MemberUse[] => {
    const name = node && field(node, 'field');
    const operand = node && field(node, 'operand');
    if (!name || !operand || !wanted.has(name.text)) return [];
    const call = node.parent?.type === 'call_expression' && field(node.parent, 'function')?.id === node.id;
    const about = { name: name.text, line: name.startPosition.row + 1, within: '', isInAnonymous: false };
    const given = call ? countArguments(field(node.parent!, 'arguments')) : undefined;
    return [{ ...about, isCall: call, given, on: expressionOf(operand, 0) }];
  });
}

/** A call can return several values, and `…` passes any number. */
function countArguments(list: Node | null): number | undefined {
  const given = children(list).filter(({ type }) => type !== 'comment');
  if (
    list?.children.some((each) => each?.text === '...') ||
    given.some(({ type }) => type === 'variadic_argument')
  )
    return undefined;
  return given.length === 1 && given[0]!.type === 'call_expression' ? undefined : given.length;
}

function expressionOf(node: Node, depth: number): Expression | null {
  if (depth > MAX_DEPTH) return null;
  const typed = (type: Node | null): Expression | null => {
    const text = typeText(type);
    return text === null ? null : { kind: 'typed', type: text };
  };
  const next = (child: Node | null | undefined) => (child ? expressionOf(child, depth + 1) : null);
  switch (node.type) {
    case 'identifier':
      return declaredAs(node, node.text, depth);
    case 'composite_literal':
      return typed(field(node, 'type'));
    case 'type_assertion_expression':
      return typed(field(node, 'type'));
    case 'parenthesized_expression':
      return next(node.firstNamedChild);
    case 'unary_expression':
      return /^[&*]/.test(node.text) ? next(field(node, 'operand')) : null;
    case 'index_expression': {
      const of = next(field(node, 'operand'));
      return of && { kind: 'element', of, isKey: false };
    }
    case 'selector_expression': {
      const name = field(node, 'field')?.text;
      const of = next(field(node, 'operand'));
      return of && name !== undefined ? { kind: 'member', of, name, isCall: false } : null;
    }
    case 'call_expression': {
      const called = field(node, 'function');
      if (called?.type === 'identifier') {
        if (called.text === 'new') return typed(children(field(node, 'arguments'))[0] ?? null);
        const own = declaredAs(called, called.text, depth);
        return own?.kind === 'name' ? { kind: 'call', name: called.text } : null;
      }
      const found = called?.type === 'selector_expression' ? next(called) : null;
      return found?.kind === 'member' ? { ...found, isCall: true } : null;
    }
    default:
      return null;
  }
}

/** A name as the code around it declares it; null when it is declared without a type that can be read. */
function declaredAs(node: Node, name: string, depth: number): Expression | null {
  for (let at: Node = node; at.parent; at = at.parent) {
    const around = at.parent;
    if (around.type === 'source_file') break;
    // Types of a function are not read.
    for (const child of children(around)) {
      if (child.startIndex >= at.startIndex) break;
      const found = declarationIn(child, name, depth);
      if (found.isFound) return found.value;
    }
    if (
      around.type === 'type_switch_statement' &&
      children(field(around, 'alias')).some(({ text }) => text === name)
    )
      return null;
  }
  return { kind: 'name', name };
}

type Declared = { isFound: false } | { isFound: true; value: Expression | null };
const NONE: Declared = { isFound: false };

function declarationIn(node: Node, name: string, depth: number): Declared {
  const found = (value: Expression | null): Declared => ({ isFound: true, value });
  switch (node.type) {
    case 'short_var_declaration':
    case 'range_clause':
    case 'receive_statement': {
      const left = children(field(node, 'left'));
      const index = left.findIndex(({ text }) => text === name);
      if (index === -1) return NONE;
      const right = field(node, 'right');
      const values = right?.type === 'expression_list' ? children(right) : right ? [right] : [];
      if (node.type === 'receive_statement') return found(null);
      const value = values.length === left.length && node.type !== 'range_clause' ? values[index] : values[0];
      const of = value ? expressionOf(value, depth + 1) : null;
      if (!of) return found(null);
      if (node.type === 'range_clause') return found({ kind: 'element', of, isKey: index === 0 });
      if (values.length === left.length) return found(of);
      if (value!.type === 'call_expression') return found({ kind: 'result', of, index });
      return found(index === 0 ? of : null);
    }
    case 'var_declaration':
    case 'const_declaration':
      for (const spec of node.descendantsOfType(['var_spec', 'const_spec'])) {
        const names = spec ? fields(spec, 'name').filter((each) => each.type === 'identifier') : [];
        if (!names.some(({ text }) => text === name)) continue;
        const variables = new Map<string, Expression>();
        if (spec!.type === 'var_spec') readVariable(spec!, variables);
        return found(variables.get(name) ?? null);
      }
      return NONE;
    case 'type_declaration':
      return node.descendantsOfType('type_spec').some((spec) => spec && field(spec, 'name')?.text === name)
        ? found(null)
        : NONE;
    case 'for_clause': {
      const first = field(node, 'initializer');
      return first ? declarationIn(first, name, depth) : NONE;
    }
    case 'parameter_list':
      for (const each of children(node)) {
        if (!fields(each, 'name').some(({ text }) => text === name)) continue;
        const type = typeText(field(each, 'type'));
        if (type === null) return found(null);
        return found({
          kind: 'typed',
          type: each.type === 'variadic_parameter_declaration' ? `[]${type}` : type,
        });
      }
      return NONE;
    default:
      return NONE;
  }
}
