/** Types of Java with their members, and what members of some names are used on. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { JAVA_NAMES } from '../free-names/java-names.ts';
import { children, countParameters, field, fields } from '../languages/rules.ts';
import type { Expression, FileMembers, MemberDefinition, MemberUse, TypeMembers } from './file-members.ts';

const TYPES: Record<string, TypeMembers['kind']> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  record_declaration: 'record',
  annotation_type_declaration: 'annotation',
};
/** An expression of more parts has no type. */
const MAX_DEPTH = 20;

export function readJavaMembers(root: Node, wanted: ReadonlySet<string>): Omit<FileMembers, 'unread'> {
  const types = new Map<string, TypeMembers>();
  for (const node of root.descendantsOfType(Object.keys(TYPES)))
    if (node) {
      const type = readType(node);
      if (!types.has(type.name)) types.set(type.name, type);
    }
  const [declared] = root.descendantsOfType('package_declaration');
  return {
    package: declared?.text.replace(/^[\s\S]*?\bpackage\s+|[\s;]/g, '') ?? '',
    imports: root.descendantsOfType('import_declaration').flatMap((node) => (node ? [readImport(node)] : [])),
    ...{ types, methods: [], functions: new Map(), variables: new Map() },
    uses: wanted.size === 0 ? [] : readUses(root, wanted),
  };
}

function readImport(node: Node): FileMembers['imports'][number] {
  const path = children(node).find(({ type }) => type === 'scoped_identifier' || type === 'identifier')?.text;
  const isStatic = node.children.some((child) => child?.type === 'static');
  const bare = path?.replaceAll(/\s/g, '') ?? '';
  if (children(node).some(({ type }) => type === 'asterisk')) return { module: bare, name: '*', isStatic };
  const dot = bare.lastIndexOf('.');
  return { module: bare.slice(0, Math.max(0, dot)), name: bare.slice(dot + 1), isStatic };
}

function readType(node: Node): TypeMembers {
  const kind = TYPES[node.type]!;
  const members: MemberDefinition[] = [];
  const annotations = annotationsOf(node);
  const body = field(node, 'body');
  const declarations = children(body).flatMap((child) =>
    child.type === 'enum_body_declarations' ? children(child) : [child],
  );
  for (const child of declarations) {
    members.push(...membersOf(child, kind === 'interface' || kind === 'annotation'));
    if (child.type === 'field_declaration') annotations.push(...annotationsOf(child));
  }
  for (const each of kind === 'record' ? children(field(node, 'parameters')) : []) {
    const name = field(each, 'name');
    const about = { line: node.startPosition.row + 1, type: typeText(field(each, 'type')) };
    const rest = { isPrivate: false, isOverride: false };
    if (!name) continue;
    members.push({ name: name.text, kind: 'field', ...about, ...rest });
    members.push({
      name: name.text,
      kind: 'method',
      ...about,
      ...rest,
      parameters: { required: 0, total: 0 },
    });
  }
  const heads = [field(node, 'superclass'), field(node, 'interfaces')].concat(
    children(node).filter(({ type }) => type === 'extends_interfaces'),
  );
  const parents = heads.flatMap((head) =>
    children(head).flatMap((each) => (each.type === 'type_list' ? children(each) : [each])),
  );
  return {
    ...{ name: qualified(node), kind, line: (field(node, 'name') ?? node).startPosition.row + 1, members },
    ...{ parents: parents.map(({ text }) => bareType(text)), annotations },
  };
}

function membersOf(node: Node, isInterface: boolean): MemberDefinition[] {
  const modifiers = modifiersOf(node)?.text ?? '';
  const about = {
    isPrivate: /\bprivate\b/.test(modifiers) && !isInterface,
    isOverride: /@Override\b/.test(modifiers),
  };
  switch (node.type) {
    case 'method_declaration':
    case 'annotation_type_element_declaration': {
      const name = field(node, 'name');
      if (!name) return [];
      const parameters = countParameters(field(node, 'parameters'), ({ type }) => {
        if (type === 'spread_parameter') return 'rest';
        return type === 'formal_parameter' ? 'required' : 'none';
      })!;
      const place = { line: name.startPosition.row + 1, type: typeText(field(node, 'type')) };
      return [{ name: name.text, kind: 'method', ...place, parameters, ...about }];
    }
    case 'field_declaration':
    case 'constant_declaration':
      return fields(node, 'declarator').flatMap((declarator): MemberDefinition[] => {
        const name = field(declarator, 'name');
        if (!name) return [];
        const type = typeText(field(node, 'type'), field(declarator, 'dimensions'));
        return [{ name: name.text, kind: 'field', line: name.startPosition.row + 1, type, ...about }];
      });
    case 'enum_constant': {
      const name = field(node, 'name');
      const line = node.startPosition.row + 1;
      return name ? [{ name: name.text, kind: 'field', line, type: ownerOf(node) ?? null, ...about }] : [];
    }
    default:
      return [];
  }
}

const modifiersOf = (node: Node) => children(node).find(({ type }) => type === 'modifiers');

function annotationsOf(node: Node): string[] {
  return children(modifiersOf(node) ?? null).flatMap((each) => {
    if (!/annotation$/.test(each.type)) return [];
    return [field(each, 'name')?.text.split('.').at(-1) ?? ''];
  });
}

/** With the types around it. */
function qualified(node: Node): string {
  const own = field(node, 'name')?.text ?? '';
  const owner = ownerOf(node);
  return owner === undefined ? own : `${owner}.${own}`;
}

/** The named type around a node. */
function ownerOf(node: Node): string | undefined {
  for (let at = node.parent; at; at = at.parent) if (TYPES[at.type]) return qualified(at);
  return undefined;
}

/** Without annotations and what types are parameters of it, except of arrays. */
function bareType(text: string): string {
  return text
    .replaceAll(/@[\w.]+(?:\([^)]*\))?\s*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Null for parameters of types, which can be anything. */
function typeText(node: Node | null, dimensions: Node | null = null): string | null {
  if (!node) return null;
  const text = `${bareType(node.text)}${dimensions?.text.replaceAll(/\s/g, '') ?? ''}`;
  return namedTypes(text).some((name) => isTypeParameter(node, name)) ? null : text;
}

/** The type itself and, for a collection, its last parameter. */
const namedTypes = (text: string): string[] => text.match(/[\w$]+/g) ?? [];

function isTypeParameter(from: Node, name: string): boolean {
  for (let at: Node | null = from; at; at = at.parent) {
    const list = field(at, 'type_parameters') ?? children(at).find(({ type }) => type === 'type_parameters');
    if (children(list ?? null).some((each) => children(each).some((child) => child.text === name)))
      return true;
  }
  return false;
}

function readUses(root: Node, wanted: ReadonlySet<string>): MemberUse[] {
  const uses = root.descendantsOfType('import_declaration').flatMap((node): MemberUse[] => {
    const { isStatic, module, name } = readImport(node!);
    if (!isStatic || !wanted.has(name)) return [];
    const on = { kind: 'typed', type: module } as const;
    const about = { name, line: node!.startPosition.row + 1, on, within: '', isInAnonymous: false };
    return [true, false].map((isCall) => ({ ...about, isCall, isImport: true }));
  });
  for (const node of root.descendantsOfType('identifier')) {
    if (!node || !wanted.has(node.text)) continue;
    const use = readUse(node) ?? readBareUse(node);
    if (use) uses.push({ ...use, name: node.text, line: node.startPosition.row + 1 });
  }
  return uses;
}

function readUse(node: Node): Omit<MemberUse, 'name' | 'line'> | undefined {
  const { parent } = node;
  if (!parent) return undefined;
  const place = { within: ownerOf(node) ?? '', isInAnonymous: isInAnonymous(node) };
  const is = (name: string) => field(parent, name)?.id === node.id;
  if (parent.type === 'method_invocation' && is('name')) {
    const object = field(parent, 'object');
    const given = children(field(parent, 'arguments')).filter(({ type }) => !/comment$/.test(type)).length;
    return { ...place, isCall: true, given, on: object ? expressionOf(object) : undefined };
  }
  if (parent.type === 'field_access' && is('field')) {
    const object = field(parent, 'object');
    return { ...place, isCall: false, on: object ? expressionOf(object) : null };
  }
  if (parent.type === 'method_reference' && parent.firstNamedChild?.id !== node.id)
    return {
      ...place,
      isCall: true,
      on: parent.firstNamedChild ? expressionOf(parent.firstNamedChild) : null,
    };
  return undefined;
}

/** A field by its name alone, of a class around it or of a static import. */
function readBareUse(node: Node): Omit<MemberUse, 'name' | 'line'> | undefined {
  const { parent } = node;
  if (
    !parent ||
    JAVA_NAMES.roleOf(node, parent) !== 'uses' ||
    (parent.type === 'method_invocation' && field(parent, 'name')?.id === node.id)
  )
    return undefined;
  if (declaredAs(node, node.text, 0)?.kind !== 'name') return undefined;
  return { within: ownerOf(node) ?? '', isInAnonymous: isInAnonymous(node), isCall: false, on: undefined };
}

function isInAnonymous(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (TYPES[at.type]) return false;
    if (at.type === 'class_body' && !TYPES[at.parent?.type ?? '']) return true;
  }
  return false;
}

function expressionOf(node: Node, depth = 0): Expression | null {
  if (depth > MAX_DEPTH) return null;
  const typed = (type: string | null): Expression | null => (type === null ? null : { kind: 'typed', type });
  const next = (child: Node | null) => (child ? expressionOf(child, depth + 1) : null);
  switch (node.type) {
    case 'this':
      return isInAnonymous(node) ? null : { kind: 'self' };
    case 'identifier':
      return declaredAs(node, node.text, depth);
    case 'type_identifier':
    case 'scoped_type_identifier':
    case 'generic_type':
      return typed(typeText(node));
    case 'object_creation_expression':
      return field(node, 'object') || node.firstChild?.type !== 'new'
        ? null
        : typed(typeText(field(node, 'type')));
    case 'cast_expression':
      return typed(typeText(field(node, 'type')));
    case 'parenthesized_expression':
      return next(node.firstNamedChild);
    case 'array_access': {
      const of = next(field(node, 'array'));
      return of && { kind: 'element', of, isKey: false };
    }
    case 'field_access':
    case 'method_invocation': {
      const isCall = node.type === 'method_invocation';
      const name = field(node, isCall ? 'name' : 'field')?.text;
      const object = field(node, 'object');
      if (!name) return null;
      if (!object) return isInAnonymous(node) ? null : { kind: 'call', name };
      // `Outer.this`
      if (name === 'this') return typed(typeText(object));
      const of = next(object);
      return of && { kind: 'member', of, name, isCall };
    }
    default:
      return null;
  }
}

/** A name as the code around it declares it; null when it is declared without a type. */
function declaredAs(node: Node, name: string, depth: number): Expression | null {
  for (let at: Node = node; at.parent; at = at.parent) {
    const around = at.parent;
    if (TYPES[around.type]) break;
    // A class without a name has fields, too.
    if (around.type === 'class_body' && !TYPES[around.parent?.type ?? '']) {
      const own = children(around).flatMap((child) => membersOf(child, false));
      const found = own.find((each) => each.kind === 'field' && each.name === name);
      if (found) return found.type === null ? null : { kind: 'typed', type: found.type };
      continue;
    }
    const found = declarationIn(around, at, name, depth);
    if (found !== undefined) return found;
  }
  return { kind: 'name', name };
}

function declarationIn(around: Node, at: Node, name: string, depth: number): Expression | null | undefined {
  const typed = (each: Node): Expression | null => {
    const type = typeText(field(each, 'type'), field(each, 'dimensions'));
    return type === null ? null : { kind: 'typed', type };
  };
  const isIt = (each: Node) => field(each, 'name')?.text === name;
  for (const child of children(around)) {
    if (child.startIndex >= at.startIndex) break;
    if (child.type === 'local_variable_declaration') {
      const found = fields(child, 'declarator').find(isIt);
      if (found) return typeOfVariable(child, found, depth);
    }
    if (child.type === 'catch_formal_parameter' && isIt(child)) {
      const type = children(child).find((each) => each.type === 'catch_type');
      return type && !type.text.includes('|') ? { kind: 'typed', type: bareType(type.text) } : null;
    }
    if (child.type === 'resource_specification') {
      const found = children(child).find((each) => each.type === 'resource' && isIt(each));
      if (found) return typeOfVariable(found, found, depth);
    }
    // Whether a pattern holds here isn't looked at, only that all patterns with the name say the same.
    const patterns = child.descendantsOfType([
      'instanceof_expression',
      'type_pattern',
      'record_pattern_component',
    ]);
    const declares = (each: Node | null) =>
      each?.type === 'instanceof_expression'
        ? field(each, 'name')?.text === name
        : each?.lastNamedChild?.text === name;
    if (patterns.some(declares)) return null;
  }
  if (around.type === 'enhanced_for_statement' && isIt(around)) {
    const type = field(around, 'type')?.text;
    if (type !== 'var') return typed(around);
    const value = field(around, 'value');
    const of = value && expressionOf(value, depth + 1);
    return of ? { kind: 'element', of, isKey: false } : null;
  }
  const parameters = field(around, 'parameters');
  if (!parameters || parameters.id === at.id) return undefined;
  if (around.type === 'lambda_expression' && parameters.type !== 'formal_parameters')
    return parameters.text === name || children(parameters).some(({ text }) => text === name)
      ? null
      : undefined;
  for (const each of children(parameters)) {
    if (each.type === 'formal_parameter' && isIt(each))
      return field(each, 'type')?.text === 'var' ? null : typed(each);
    if (
      each.type === 'spread_parameter' &&
      each.descendantsOfType('identifier').some((id) => id?.text === name)
    ) {
      const type = children(each).find((child) => /type/.test(child.type));
      const text = typeText(type ?? null);
      return text === null ? null : { kind: 'typed', type: `${text}[]` };
    }
  }
  return undefined;
}

function typeOfVariable(declaration: Node, declarator: Node, depth: number): Expression | null {
  const type = typeText(field(declaration, 'type'), field(declarator, 'dimensions'));
  if (type === null) return null;
  if (type !== 'var') return { kind: 'typed', type };
  const value = field(declarator, 'value');
  return value && expressionOf(value, depth + 1);
}
