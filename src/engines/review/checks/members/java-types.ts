/** Follows names of Java to the types that a repository declares, as the compiler does: nested types, imports, the package. */
import type { Expression, FileMembers, MemberUse, TypeMembers } from '../../../facts/index.ts';
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

/** Lombok and others write members while the code is compiled. */
const GENERATING =
  /^(?:Getter|Setter|Data|Value|Builder|SuperBuilder|With|Accessors|Delegate|FieldNameConstants|ExtensionMethod|Slf4j|Log|Log4j2|CommonsLog|Flogger|NoArgsConstructor|AllArgsConstructor|RequiredArgsConstructor|AutoValue|AutoBuilder|RecordBuilder|RooJavaBean|ToString|EqualsAndHashCode)$/;
const GENERATED = /^(?:get|is|set|with|has|add|clear)[A-Z_]|^(?:builder|toBuilder|of|log|logger|Fields)$/;

interface Declaration {
  path: string;
  file: FileMembers;
  type: TypeMembers;
}

export class JavaTypes implements TypeReader {
  readonly #code: Pick<ReviewCode, 'read' | 'listFiles'>;
  readonly #files: ParsedFiles;
  /** Types of files that are looked at, wherever they are. */
  readonly #known = new Map<string, string>();
  #bySimpleName: Promise<Map<string, string[]>> | undefined;

  constructor(code: Pick<ReviewCode, 'read' | 'listFiles'>) {
    this.#code = code;
    this.#files = new ParsedFiles(code, 'head');
  }

  nameOf(_: string, file: FileMembers, type: string): string {
    return file.package === '' ? type : `${file.package}.${type}`;
  }

  titleOf(type: string): string {
    return type.slice(Math.max(0, type.search(/(?<![^.])[A-Z]/)));
  }

  async ownerOf(
    use: MemberUse,
    path: string,
    file: FileMembers,
    wanted: ReadonlySet<string>,
  ): Promise<string | null> {
    if (use.on === null) return null;
    for (const type of file.types.keys()) this.#known.set(this.nameOf(path, file, type), path);
    if (use.isImport && use.on?.kind === 'typed') return use.on.type;
    if (use.on === undefined) return this.#ownerAround(use, path, file, wanted);
    const type = await this.#typeOf(use.on, { path, within: use.within }, 0);
    return type && this.#resolve(type);
  }

  async lookUp(type: string, name: string, isCall: boolean): Promise<Lookup> {
    const result = nothingFound();
    const following = [type];
    for (let next = following.shift(); next !== undefined; next = following.shift()) {
      if (result.types.has(next)) continue;
      result.types.add(next);
      const found = result.types.size > MAX_TYPES_FOLLOWED ? null : await this.#declaration(next);
      if (!found) {
        result.unknown.add(next);
        continue;
      }
      const { file, path, type: own } = found;
      result.mayBeGenerated ||= mayGenerate(own, name);
      if (file.unread.some((text) => text.includes(name))) result.unknown.add(`${next}.${name}`);
      for (const member of own.members)
        if (member.name === name && (member.kind === 'method') === isCall)
          result.members.push({ ...member, path, owner: own.name });
      for (const parent of own.parents) {
        const place = { type: parent, path, within: own.name };
        const resolved = await this.#resolve(place, file);
        // Parents that aren't found are told apart by their names.
        following.push(resolved ?? `?${parent}`);
      }
    }
    return result;
  }

  /** A call without an object: of the class around it that has such a method, or of a static import. */
  async #ownerAround(
    { isCall, isInAnonymous, name, within }: MemberUse,
    path: string,
    file: FileMembers,
    wanted: ReadonlySet<string>,
  ): Promise<string | null> {
    if (isInAnonymous) return null;
    const statics = file.imports.filter(({ isStatic }) => isStatic);
    for (let around = within; around !== ''; around = outerOf(around)) {
      const type = this.nameOf(path, file, around);
      const { members, mayBeGenerated, types, unknown } = await this.lookUp(type, name, isCall);
      if (members.length > 0) return type;
      if (mayBeGenerated) return null;
      if ([...types].some((each) => wanted.has(each)))
        return statics.some((each) => each.name === '*' || each.name === name) ? null : type;
      if (unknown.size > 0) return null;
    }
    const imported = statics.filter((each) => each.name === name);
    return imported.length === 1 ? imported[0]!.module : null;
  }

  async #typeOf(
    on: Expression,
    place: Omit<TypeReference, 'type'>,
    depth: number,
  ): Promise<TypeReference | null> {
    if (depth > 20) return null;
    switch (on.kind) {
      case 'typed':
        return { ...place, type: on.type };
      case 'self':
        return place.within === '' ? null : { ...place, type: place.within };
      case 'name':
      case 'call': {
        const found = await this.#memberAround(on.name, on.kind === 'call', place);
        if (found !== undefined) return found;
        return on.kind === 'name' && /^[A-Z]/.test(on.name) ? { ...place, type: on.name } : null;
      }
      case 'element': {
        const of = await this.#typeOf(on.of, place, depth + 1);
        const type = of && elementOf(of.type);
        return of && type ? { ...of, type } : null;
      }
      case 'member': {
        const of = await this.#typeOf(on.of, place, depth + 1);
        const type = of && (await this.#resolve(of));
        if (!type) return null;
        const { members, unknown } = await this.lookUp(type, on.name, on.isCall);
        if (members.length > 0) return sameType(members);
        if (on.isCall || unknown.size > 0 || !(await this.#declaration(`${type}.${on.name}`))) return null;
        return { ...of!, type: `${of!.type.replace(/<.*/, '')}.${on.name}` };
      }
      default:
        return null;
    }
  }

  /** Undefined when no class around the place has it, null when that can't be told. */
  async #memberAround(
    name: string,
    isCall: boolean,
    { path, within }: Omit<TypeReference, 'type'>,
  ): Promise<TypeReference | null | undefined> {
    const file = await this.#files.read(path);
    if (!file) return null;
    for (let around = within; around !== ''; around = outerOf(around)) {
      const { members, unknown } = await this.lookUp(this.nameOf(path, file, around), name, isCall);
      if (members.length > 0) return sameType(members);
      // A name of a type is rarely that of a field.
      if (unknown.size > 0 && (isCall || !/^[A-Z]\w*[a-z]/.test(name))) return null;
    }
    return undefined;
  }

  async #declaration(name: string): Promise<Declaration | null> {
    const parts = name.split('.');
    const first = parts.findIndex((part) => /^[A-Z]/.test(part));
    if (first === -1) return null;
    const within = parts.slice(0, first).join('.');
    const ending = [...parts.slice(0, first), `${parts[first]}.java`].join('/');
    this.#bySimpleName ??= this.#listTypes();
    const paths = ((await this.#bySimpleName).get(parts[first]!) ?? []).filter(
      (path) => path === ending || path.endsWith(`/${ending}`),
    );
    const known = this.#known.get(name);
    if (paths.length === 0 && known !== undefined) paths.push(known);
    // Two classes with one name: only the build knows which one is meant.
    if (paths.length !== 1) return null;
    const file = await this.#files.read(paths[0]!);
    const type = file?.types.get(parts.slice(first).join('.'));
    return file && type && file.package === within ? { path: paths[0]!, file, type } : null;
  }

  async #listTypes(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const path of await this.#code.listFiles('head')) {
      const name = /([^/]+)\.java$/.exec(path)?.[1];
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), path]);
    }
    return found;
  }

  /** The full name of a type; null when it can't be told. */
  async #resolve({ path, type, within }: TypeReference, known?: FileMembers): Promise<string | null> {
    const file = known ?? (await this.#files.read(path));
    const bare = type.replaceAll(/<.*>/g, '').trim();
    if (!file || !/^[\w$.]+$/.test(bare)) return null;
    const [first, ...rest] = bare.split('.');
    const whole = (base: string) => [base, ...rest].join('.');
    if (/^[a-z]/.test(first!)) return (await this.#declaration(bare)) ? bare : null;
    for (let around = within; around !== ''; around = outerOf(around)) {
      if (around === first || around.endsWith(`.${first}`)) return whole(this.nameOf(path, file, around));
      if (file.types.has(`${around}.${first}`)) return whole(this.nameOf(path, file, `${around}.${first}`));
      const inherited = await this.#inherited(this.nameOf(path, file, around), first!);
      if (inherited !== undefined) return inherited === null ? null : whole(inherited);
    }
    if (file.types.has(first!)) return whole(this.nameOf(path, file, first!));
    const imported = file.imports.filter(({ isStatic, name }) => name === first && !isStatic);
    if (imported.length > 0) return whole(`${imported[0]!.module}.${first}`);
    const places = [
      file.package,
      ...file.imports.filter(({ name }) => name === '*').map(({ module }) => module),
    ];
    for (const place of places) {
      const full = place === '' ? first! : `${place}.${first}`;
      if (await this.#declaration(full)) return whole(full);
    }
    return null;
  }

  /** A nested type of a parent; undefined when none of those that are known has it. */
  async #inherited(type: string, name: string): Promise<string | null | undefined> {
    const seen = new Set<string>();
    let following = [type];
    for (let depth = 0; following.length > 0 && depth < 5; depth += 1) {
      const next: string[] = [];
      for (const each of following) {
        const found = seen.has(each) ? null : await this.#declaration(each);
        seen.add(each);
        if (!found) continue;
        if (each !== type && found.file.types.has(`${found.type.name}.${name}`)) return `${each}.${name}`;
        for (const parent of found.type.parents) {
          if (parent.replace(/<.*/, '') === name) continue;
          const outer = outerOf(found.type.name);
          const resolved = await this.#resolve({ type: parent, path: found.path, within: outer }, found.file);
          if (resolved) next.push(resolved);
        }
      }
      following = next;
    }
    return undefined;
  }
}

const outerOf = (type: string): string => type.slice(0, Math.max(0, type.lastIndexOf('.')));

function mayGenerate({ annotations, members }: TypeMembers, name: string): boolean {
  if (!annotations.some((each) => GENERATING.test(each))) return false;
  return GENERATED.test(name) || members.some((each) => each.kind === 'field' && each.name === name);
}

/** The result of all overloads, where they are written in one type. */
function sameType([first, ...others]: FoundMember[]): TypeReference | null {
  if (!first || first.type === null) return null;
  // An overriding method comes first, and can only return something narrower.
  const own = others.filter(({ owner, path }) => owner === first.owner && path === first.path);
  return own.every(({ type }) => type === first.type)
    ? { type: first.type, path: first.path, within: first.owner }
    : null;
}

/** The type of one value in an array or a collection. */
function elementOf(type: string): string | null {
  if (type.endsWith('[]')) return type.slice(0, -2);
  return (
    /^[\w.]*(?:List|Set|Collection|Iterable|Queue|Deque)<(?:\? extends )?([\w.]+)>$/.exec(type)?.[1] ?? null
  );
}
