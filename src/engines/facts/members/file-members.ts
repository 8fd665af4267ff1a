/** The types of a file of Java or Go: their members, what they extend, and on what its code uses members of some names. */

/** How code names a value; the types around it say what it is. */
export type Expression =
  /** A value of a type that is written in the file. */
  | { kind: 'typed'; type: string }
  /** Nothing around it declares the name: a field, a variable of the package, a type or a package. */
  | { kind: 'name'; name: string }
  | { kind: 'self' }
  | { kind: 'member'; of: Expression; name: string; isCall: boolean }
  /** A call without an object before it. */
  | { kind: 'call'; name: string }
  /** One value of a collection, in a loop or by an index. */
  | { kind: 'element'; of: Expression; isKey: boolean }
  /** One of several results of a call in Go. */
  | { kind: 'result'; of: Expression; index: number };

export interface MemberDefinition {
  name: string;
  kind: 'method' | 'field';
  /** From 1. */
  line: number;
  /** As it is written, of a method its result; null when there is none, or when it is a parameter. */
  type: string | null;
  /** In Go, where a call can have several. */
  results?: string[];
  /** Only of methods; `total` is null when there can be any number. */
  parameters?: { required: number; total: number | null };
  isPrivate: boolean;
  /** Marked as one that a parent has too. */
  isOverride: boolean;
}

export interface TypeMembers {
  /** With the names of the types around it: `Cart.Builder`. */
  name: string;
  kind: 'class' | 'interface' | 'enum' | 'record' | 'annotation' | 'other';
  line: number;
  /** As they are written: what it extends, implements or embeds; of another type of Go, the type that it names. */
  parents: string[];
  members: MemberDefinition[];
  /** Names of annotations on the type and its fields. */
  annotations: string[];
}

export interface MemberUse {
  name: string;
  /** From 1. */
  line: number;
  isCall: boolean;
  /** How many arguments a call has; undefined when it can't be told. */
  given?: number | undefined;
  /** Null when nothing can be said about it, and undefined when nothing is before the name. */
  on: Expression | null | undefined;
  /** The type that the code is part of, empty outside of one. */
  within: string;
  /** Whether the name is written in a class without a name, which can inherit it. */
  isInAnonymous: boolean;
  /** A static import, which takes methods, fields and types of that name. */
  isImport?: true;
}

export interface FileMembers {
  /** As the file names it; empty for the default one of Java. */
  package: string;
  imports: { module: string; name: string; isStatic: boolean }[];
  types: ReadonlyMap<string, TypeMembers>;
  /** In Go, methods by the name of their type, functions, and variables of the package. */
  methods: { of: string; member: MemberDefinition }[];
  functions: ReadonlyMap<string, MemberDefinition>;
  variables: ReadonlyMap<string, Expression>;
  uses: MemberUse[];
  /** Short texts that the grammar can't read, often newer syntax. */
  unread: string[];
}
