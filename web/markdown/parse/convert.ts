/** Converts the parser's tree into ours: few node types, references resolved, depth and size limited. */
import type {
  BlockContent,
  DefinitionContent,
  ListItem as MdastItem,
  Nodes,
  PhrasingContent,
  Root,
} from 'mdast';
import { isShownImage } from '../address.ts';
import { MAX_DEPTH, MAX_NODES, TooMuch } from '../limits.ts';
import {
  type Block,
  type Footnote,
  type Inline,
  type ListItem,
  type MarkdownTree,
  piecesOf,
} from '../tree.ts';
import type { SourcePieces } from './source-pieces.ts';

type MdastBlock = BlockContent | DefinitionContent;
type Definition = Extract<Nodes, { type: 'definition' }>;
type FootnoteDefinition = Extract<Nodes, { type: 'footnoteDefinition' }>;

export function convertTree(source: string, root: Root, sourcePieces: SourcePieces): MarkdownTree {
  return new Conversion(source, root, sourcePieces).run();
}

class Conversion {
  readonly #source: string;
  readonly #root: Root;
  readonly #pieces: SourcePieces;
  readonly #targets = new Map<string, Definition>();
  readonly #referenced = new Set<string>();
  readonly #notes = new Map<string, FootnoteDefinition>();
  readonly #allNotes: FootnoteDefinition[] = [];
  /** In numbering order, which is the order of the first reference to each. */
  readonly #numbered: FootnoteDefinition[] = [];
  /** Each id in use, and the last number appended to it. */
  readonly #ids = new Map<string, number>();
  #nodes = 0;

  constructor(source: string, root: Root, sourcePieces: SourcePieces) {
    this.#source = source;
    this.#root = root;
    this.#pieces = sourcePieces;
  }

  run(): MarkdownTree {
    this.#collect(this.#root, 0);
    const blocks = this.#blocks(this.#root.children as MdastBlock[], 0);
    const footnotes: Footnote[] = [];
    // Footnotes can refer to other footnotes, so the list may grow during the iteration.
    for (let index = 0; index < this.#numbered.length; index++)
      footnotes.push(this.#footnote(this.#numbered[index]!, index + 1, true));
    // Nothing in the source is hidden from readers: footnotes without a reference are shown too.
    for (const note of this.#allNotes)
      if (!this.#numbered.includes(note)) footnotes.push(this.#footnote(note, footnotes.length + 1, false));
    return { blocks, footnotes };
  }

  /** Collects the targets of references from the whole tree. The first definition wins. */
  #collect(node: Nodes, depth: number): void {
    this.#count(depth);
    if (node.type === 'definition') keepFirst(this.#targets, node.identifier, node);
    if (node.type === 'linkReference' || node.type === 'imageReference')
      this.#referenced.add(node.identifier);
    if (node.type === 'footnoteDefinition') {
      keepFirst(this.#notes, node.identifier, node);
      this.#allNotes.push(node);
    }
    if ('children' in node) for (const child of node.children) this.#collect(child, depth + 1);
  }

  #count(depth: number): void {
    if (depth > MAX_DEPTH) throw new TooMuch('deep');
    if (++this.#nodes > MAX_NODES) throw new TooMuch('large');
  }

  #footnote(note: FootnoteDefinition, number: number, referenced: boolean): Footnote {
    return { ...placeOf(note), number, referenced, children: this.#blocks(note.children, 1) };
  }

  #blocks(nodes: readonly MdastBlock[], depth: number): Block[] {
    return nodes.flatMap((node) => this.#block(node, depth + 1) ?? []);
  }

  #block(node: MdastBlock, depth: number): Block | undefined {
    const place = placeOf(node);
    switch (node.type) {
      case 'paragraph':
        return { ...place, type: 'paragraph', children: this.#inlines(node.children) };
      case 'heading': {
        const children = this.#inlines(node.children);
        return { ...place, type: 'heading', level: node.depth, id: this.#idFor(textOf(children)), children };
      }
      case 'blockquote':
        return { ...place, type: 'quote', children: this.#blocks(node.children, depth) };
      case 'list': {
        const tight = !node.spread && node.children.every((item) => !item.spread);
        const items = node.children.map((item) => this.#item(item, depth));
        return {
          ...place,
          type: 'list',
          ordered: node.ordered === true,
          first: node.start ?? 1,
          tight,
          items,
        };
      }
      case 'code':
        return { ...place, type: 'code', language: node.lang ?? '', pieces: this.#pieces.of(node) };
      case 'html':
        return { ...place, type: 'literal', pieces: this.#pieces.of(node) };
      case 'definition':
        return this.#definition(node);
      case 'table': {
        const align = (node.align ?? []).map((side) => side ?? undefined);
        const rows = node.children.map((row) => row.children.map((cell) => this.#inlines(cell.children)));
        return { ...place, type: 'table', align, rows };
      }
      case 'thematicBreak':
        return { ...place, type: 'rule' };
      // Footnotes are shown below the text.
      default:
        return undefined;
    }
  }

  /** A link shows where it leads. A definition that no link uses could hide text, so it is shown as source. */
  #definition(node: Definition): Block | undefined {
    const isUsed = this.#targets.get(node.identifier) === node && this.#referenced.has(node.identifier);
    if (isUsed) return undefined;
    const place = placeOf(node);
    return {
      ...place,
      type: 'literal',
      pieces: [{ ...place, text: this.#source.slice(place.start, place.end) }],
    };
  }

  #item(item: MdastItem, depth: number): ListItem {
    return {
      ...placeOf(item),
      done: item.checked ?? undefined,
      children: this.#blocks(item.children, depth + 1),
    };
  }

  #inlines(nodes: readonly PhrasingContent[]): Inline[] {
    return nodes.flatMap((node) => this.#inline(node) ?? []);
  }

  #inline(node: PhrasingContent): Inline | undefined {
    switch (node.type) {
      case 'text':
      case 'html':
        return { type: 'text', pieces: this.#pieces.of(node) };
      case 'inlineCode':
        return { type: 'code', pieces: this.#pieces.of(node) };
      case 'emphasis':
      case 'strong':
      case 'delete':
        return { type: node.type, children: this.#inlines(node.children) };
      case 'link':
        return this.#link(node, node.children);
      case 'linkReference':
        return this.#link(this.#targets.get(node.identifier), node.children);
      case 'image':
        return image(node, node.url, node.alt);
      case 'imageReference':
        return image(node, this.#targets.get(node.identifier)?.url ?? '', node.alt);
      case 'footnoteReference':
        return this.#footnoteReference(node);
      case 'break':
        return { type: 'break' };
      default:
        return undefined;
    }
  }

  #link(
    target: { url: string; title?: string | null } | undefined,
    children: readonly PhrasingContent[],
  ): Inline {
    return {
      type: 'link',
      address: target?.url ?? '',
      title: target?.title ?? undefined,
      children: this.#inlines(children),
    };
  }

  #footnoteReference(node: Extract<Nodes, { type: 'footnoteReference' }>): Inline | undefined {
    const note = this.#notes.get(node.identifier);
    if (!note) return undefined;
    const first = !this.#numbered.includes(note);
    if (first) this.#numbered.push(note);
    const number = this.#numbered.indexOf(note) + 1;
    return { type: 'footnote-reference', number, first, label: { text: String(number), ...placeOf(node) } };
  }

  /** The heading's words joined with hyphens; a number makes repeated headings unique. */
  #idFor(text: string): string {
    const words = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let number = this.#ids.get(words) ?? 0;
    let id = words;
    // With the number it may match a heading that contains that number.
    for (; this.#ids.has(id); number++) id = `${words}-${number + 1}`;
    this.#ids.set(words, number);
    if (id !== words) this.#ids.set(id, 0);
    return id;
  }
}

function image(node: Nodes, address: string, alt: string | null | undefined): Inline {
  if (isShownImage(address)) return { type: 'picture', address, alternative: alt ?? '' };
  return { type: 'image-link', address, alternative: { text: alt || 'image', ...placeOf(node) } };
}

function textOf(children: readonly Inline[]): string {
  return piecesOf(children)
    .map((piece) => piece.text)
    .join('');
}

function placeOf(node: Nodes): { start: number; end: number } {
  return { start: node.position!.start.offset!, end: node.position!.end.offset! };
}

function keepFirst<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}
