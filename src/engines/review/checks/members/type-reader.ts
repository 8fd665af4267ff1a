/** Says, by the types of a repository, whose member a use means, and what that type and its parents have. */
import {
  type FileMembers,
  type MemberDefinition,
  type MemberUse,
  readMembers,
} from '../../../facts/index.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import type { Side } from '../../contract/code-review.ts';

/** Files parsed in one review, and types followed for one name. */
const MAX_FILES_PARSED = 400;
export const MAX_TYPES_FOLLOWED = 60;

/** A type as it is written, and the place whose imports say what it means. */
export interface TypeReference {
  type: string;
  path: string;
  within: string;
}

/** A member with the place of its definition. */
export interface FoundMember extends MemberDefinition {
  path: string;
  /** The type that has it, as its file names it. */
  owner: string;
}

export interface Lookup {
  members: FoundMember[];
  /** The type and all its parents that were followed. */
  types: Set<string>;
  /** Parents whose members are not known. */
  unknown: Set<string>;
  /** Whether a tool may write the member while the code is built. */
  mayBeGenerated: boolean;
}

export const nothingFound = (): Lookup => ({
  ...{ members: [], types: new Set(), unknown: new Set(), mayBeGenerated: false },
});

/** Type names are unique in a repository: with the package in Java, with the folder in Go. */
export interface TypeReader {
  /** The name of a type that a file declares. */
  nameOf(path: string, file: FileMembers, type: string): string;
  /** As people write it. */
  titleOf(type: string): string;
  /** The type whose member a use means; null when that can't be told. */
  ownerOf(
    use: MemberUse,
    path: string,
    file: FileMembers,
    wanted: ReadonlySet<string>,
  ): Promise<string | null>;
  lookUp(type: string, name: string, isCall: boolean): Promise<Lookup>;
}

/** Each file is parsed once, without its uses. */
export class ParsedFiles {
  readonly #code: Pick<ReviewCode, 'read'>;
  readonly #side: Side;
  readonly #files = new Map<string, Promise<FileMembers | null>>();

  constructor(code: Pick<ReviewCode, 'read'>, side: Side) {
    this.#code = code;
    this.#side = side;
  }

  read(path: string): Promise<FileMembers | null> {
    const known = this.#files.get(path);
    if (known) return known;
    if (this.#files.size >= MAX_FILES_PARSED) return Promise.resolve(null);
    const reading = this.#parse(path);
    this.#files.set(path, reading);
    return reading;
  }

  async #parse(path: string): Promise<FileMembers | null> {
    const text = await this.#code.read(this.#side, path);
    return text === null ? null : readMembers({ path, text }, new Set());
  }
}
