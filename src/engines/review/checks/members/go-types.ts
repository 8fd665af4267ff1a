/** Follows names of Go to the types that a repository declares: by packages, which are folders, and what structs embed. */
import type { FileSymbols } from '../../../../platform/core/ports/code-facts.ts';
import type {
  Expression,
  FileMembers,
  MemberDefinition,
  MemberUse,
  TypeMembers,
} from '../../../facts/index.ts';
import { folderOf } from '../../code/resolve-module.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import {
  type FoundMember,
  type Lookup,
  MAX_TYPES_FOLLOWED,
  nothingFound,
  ParsedFiles,
  type TypeReader,
  type TypeReference,
} from './type-reader.ts';

const MAX_FILES_LISTED = 1500;
const MAX_MODULES = 50;

/** Where the files of a folder define what, without tests. */
interface Package {
  types: Map<string, string[]>;
  functions: Map<string, string[]>;
  variables: Map<string, string[]>;
  /** By `Type.Method`. */
  methods: Map<string, string[]>;
}

export class GoTypes implements TypeReader {
  readonly #code: Pick<ReviewCode, 'read' | 'listFiles' | 'symbols'>;
  readonly #files: ParsedFiles;
  readonly #packages = new Map<string, Promise<Package | null>>();
  #listed = 0;
  #modules: Promise<{ module: string; folder: string }[]> | undefined;

  constructor(code: Pick<ReviewCode, 'read' | 'listFiles' | 'symbols'>) {
    this.#code = code;
    this.#files = new ParsedFiles(code, 'head');
  }

  nameOf(path: string, _: FileMembers, type: string): string {
    return `${folderOf(path)}#${type}`;
  }

  titleOf(type: string): string {
    return type.slice(type.indexOf('#') + 1);
  }

  async ownerOf({ on }: MemberUse, path: string): Promise<string | null> {
    if (!on) return null;
    const type = await this.#typeOf(on, path, 0);
    return type && this.#resolve(type);
  }

  async lookUp(type: string, name: string): Promise<Lookup> {
    const result = nothingFound();
    let following = [type];
    // The members of a type hide those of what it embeds.
    while (following.length > 0 && result.members.length === 0) {
      const next: string[] = [];
      for (const each of following) {
        if (result.types.has(each)) continue;
        result.types.add(each);
        const found = result.types.size > MAX_TYPES_FOLLOWED ? null : await this.#declaration(each);
        if (!found) {
          result.unknown.add(each);
          continue;
        }
        const own = await this.#ownMembers(each, found, name);
        if (own) result.members.push(...own);
        else result.unknown.add(`${each}.${name}`);
        for (const parent of found.type.parents) {
          const resolved = await this.#resolve({ type: parent, path: found.path, within: '' });
          next.push(resolved ?? `?${parent}`);
        }
      }
      following = next;
    }
    return result;
  }

  /** Null when it has one that can't be read. */
  async #ownMembers(
    type: string,
    { path, type: own }: { path: string; type: TypeMembers },
    name: string,
  ): Promise<FoundMember[] | null> {
    const members: FoundMember[] = own.members
      .filter((each) => each.name === name)
      .map((each) => ({ ...each, path, owner: own.name }));
    const [folder, bare] = type.split('#') as [string, string];
    const places = (await this.#package(folder))?.methods.get(`${bare}.${name}`) ?? [];
    if ((await this.#files.read(path))?.unread.some((text) => text.includes(name))) return null;
    for (const place of places) {
      const file = await this.#files.read(place);
      for (const { member, of } of file?.methods ?? [])
        if (of === bare && member.name === name) members.push({ ...member, path: place, owner: bare });
    }
    return places.length > 0 && members.length === 0 ? null : members;
  }

  async #typeOf(on: Expression, path: string, depth: number): Promise<TypeReference | null> {
    if (depth > 20) return null;
    const at = (type: string | undefined, where = path): TypeReference | null =>
      type ? { type, path: where, within: '' } : null;
    switch (on.kind) {
      case 'typed':
        return at(on.type);
      case 'name':
        return this.#typeOfVariable(folderOf(path), on.name, depth);
      case 'call':
      case 'result': {
        const call = on.kind === 'result' ? on.of : on;
        const index = on.kind === 'result' ? on.index : 0;
        const found = await this.#called(call, path, depth);
        const isSame = found.every(({ results }) => results?.[index] === found[0]!.results?.[index]);
        return isSame ? at(found[0]?.results?.[index], found[0]?.path) : null;
      }
      case 'element': {
        const of = await this.#typeOf(on.of, path, depth + 1);
        const type = of && elementOf(of.type, on.isKey);
        return of && type ? { ...of, type } : null;
      }
      case 'member': {
        if (on.isCall) {
          const found = await this.#called(on, path, depth);
          const isSame = found.every(({ type }) => type === found[0]!.type);
          return isSame ? at(found[0]?.type ?? undefined, found[0]?.path) : null;
        }
        const imported = await this.#imported(on.of, path);
        if (imported !== undefined)
          return imported === null ? null : this.#typeOfVariable(imported, on.name, depth);
        const of = await this.#typeOf(on.of, path, depth + 1);
        const type = of && (await this.#resolve(of));
        const { members } = type ? await this.lookUp(type, on.name) : nothingFound();
        const [first] = members;
        return first?.kind === 'field' ? at(first.type ?? undefined, first.path) : null;
      }
      default:
        return null;
    }
  }

  /** The functions or methods that a call can mean. */
  async #called(
    call: Expression,
    path: string,
    depth: number,
  ): Promise<(MemberDefinition & { path: string })[]> {
    if (call.kind === 'call') return this.#functions(folderOf(path), call.name);
    if (call.kind !== 'member') return [];
    const imported = await this.#imported(call.of, path);
    if (imported !== undefined) return imported === null ? [] : this.#functions(imported, call.name);
    const of = await this.#typeOf(call.of, path, depth + 1);
    const type = of && (await this.#resolve(of));
    const { members } = type ? await this.lookUp(type, call.name) : nothingFound();
    return members.every(({ kind }) => kind === 'method') ? members : [];
  }

  /** The folder of an imported package, null when it is of another repository, undefined when it is none. */
  async #imported(of: Expression, path: string): Promise<string | null | undefined> {
    if (of.kind !== 'name') return undefined;
    const file = await this.#files.read(path);
    const module = file?.imports.find(({ name }) => name === of.name)?.module;
    return module === undefined ? undefined : this.#folderOfModule(module);
  }

  async #functions(folder: string, name: string): Promise<(MemberDefinition & { path: string })[]> {
    const found: (MemberDefinition & { path: string })[] = [];
    for (const path of (await this.#package(folder))?.functions.get(name) ?? []) {
      const member = (await this.#files.read(path))?.functions.get(name);
      if (member) found.push({ ...member, path });
    }
    return found;
  }

  async #typeOfVariable(folder: string, name: string, depth: number): Promise<TypeReference | null> {
    const paths = (await this.#package(folder))?.variables.get(name) ?? [];
    const [path] = paths;
    if (path === undefined || paths.length > 1) return null;
    const value = (await this.#files.read(path))?.variables.get(name);
    return value ? this.#typeOf(value, path, depth + 1) : null;
  }

  async #declaration(name: string): Promise<{ path: string; type: TypeMembers } | null> {
    const [folder, type] = name.split('#') as [string, string | undefined];
    if (type === undefined || name.startsWith('?')) return null;
    const paths = (await this.#package(folder))?.types.get(type) ?? [];
    // Several systems can have their own.
    if (paths.length !== 1) return null;
    const found = (await this.#files.read(paths[0]!))?.types.get(type);
    return found ? { path: paths[0]!, type: found } : null;
  }

  #package(folder: string): Promise<Package | null> {
    const known = this.#packages.get(folder);
    if (known) return known;
    const reading = this.#readPackage(folder);
    this.#packages.set(folder, reading);
    return reading;
  }

  async #readPackage(folder: string): Promise<Package | null> {
    const files = (await this.#code.listFiles('head')).filter(
      (path) => path.endsWith('.go') && !path.endsWith('_test.go') && folderOf(path) === folder,
    );
    this.#listed += files.length;
    if (this.#listed > MAX_FILES_LISTED) return null;
    const found: Package = {
      types: new Map(),
      functions: new Map(),
      variables: new Map(),
      methods: new Map(),
    };
    const add = (to: Map<string, string[]>, name: string, path: string) => {
      const paths = to.get(name) ?? [];
      if (!paths.includes(path)) to.set(name, [...paths, path]);
    };
    for (const path of files) {
      const facts = await this.#code.symbols('head', path);
      // Something in it may not be known.
      if (!facts || facts.incomplete !== null) return null;
      for (const symbol of facts.symbols) addSymbol(symbol, (list, name) => add(found[list], name, path));
    }
    return found;
  }

  async #resolve({ path, type }: TypeReference): Promise<string | null> {
    const bare = type.replace(/^[*&]+/, '').replace(/\[.*\]$/, '');
    const [, alias, name] = /^(?:(\w+)\.)?(\w+)$/.exec(bare) ?? [];
    if (name === undefined) return null;
    if (alias === undefined) {
      const own = `${folderOf(path)}#${name}`;
      return (await this.#package(folderOf(path)))?.types.has(name) ? own : null;
    }
    const file = await this.#files.read(path);
    const module = file?.imports.find((each) => each.name === alias)?.module;
    const folder = module === undefined ? null : await this.#folderOfModule(module);
    return folder === null ? null : `${folder}#${name}`;
  }

  async #folderOfModule(module: string): Promise<string | null> {
    this.#modules ??= this.#readModules();
    for (const { folder, module: own } of await this.#modules) {
      if (module === own) return folder;
      if (module.startsWith(`${own}/`)) return `${folder}${module.slice(own.length + 1)}/`;
    }
    return null;
  }

  /** The longest name first. */
  async #readModules(): Promise<{ module: string; folder: string }[]> {
    const paths = (await this.#code.listFiles('head')).filter((path) => /(?:^|\/)go\.mod$/.test(path));
    const found: { module: string; folder: string }[] = [];
    for (const path of paths.slice(0, MAX_MODULES)) {
      const module = /^module\s+"?([^\s"]+)/m.exec((await this.#code.read('head', path)) ?? '')?.[1];
      if (module !== undefined) found.push({ module, folder: folderOf(path) });
    }
    return found.sort((one, other) => other.module.length - one.module.length);
  }
}

type List = keyof Package;

function addSymbol(
  { container, kind, name }: FileSymbols['symbols'][number],
  add: (list: List, name: string) => void,
): void {
  if (kind === 'method' && container !== undefined) add('methods', `${container}.${name}`);
  else if (container !== undefined) return;
  else if (kind === 'function') add('functions', name);
  else if (kind === 'variable') add('variables', name);
  else if (kind === 'class' || kind === 'interface' || kind === 'type') add('types', name);
}

/** The type of one value in a slice, an array, a map or a channel. */
function elementOf(type: string, isKey: boolean): string | null {
  const slice = /^\[[^\]]*\](.+)$/.exec(type)?.[1];
  if (slice !== undefined) return isKey ? null : slice;
  const map = /^map\[([^\]]+)\](.+)$/.exec(type);
  if (map) return (isKey ? map[1] : map[2]) ?? null;
  return isKey ? (/^(?:<-)?chan(?:<-)? (.+)$/.exec(type)?.[1] ?? null) : null;
}
