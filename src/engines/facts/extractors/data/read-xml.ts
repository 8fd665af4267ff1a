/** Reads XML with line numbers. Entities are not expanded. */
import { XMLParser } from 'fast-xml-parser';

export interface XmlElement {
  name: string;
  /** Names in lower case. */
  attributes: Map<string, string>;
  text: string;
  line: number;
  children: XmlElement[];
}

const MAX_XML_DEPTH = 60;
const MAX_XML_CHARACTERS = 512 * 1024;
const ATTRIBUTES = ':@';
const METADATA = XMLParser.getMetaDataSymbol() as unknown as string;

type Ordered = Record<string, unknown>;

/** The elements at the top of the document; none when it isn't XML or is beyond the limits. */
export function readXml(text: string): XmlElement[] {
  if (text.length > MAX_XML_CHARACTERS) return [];
  const ordered = parseXml(text);
  return ordered ? convert(ordered, new LineStarts(text), 0) : [];
}

/** The parser throws for malformed files. */
function parseXml(text: string): Ordered[] | null {
  try {
    return new XMLParser({
      preserveOrder: true,
      ignoreAttributes: false,
      attributeNamePrefix: '',
      parseTagValue: false,
      parseAttributeValue: false,
      processEntities: false,
      captureMetaData: true,
      maxNestedTags: MAX_XML_DEPTH,
    }).parse(text) as Ordered[];
  } catch {
    return null;
  }
}

function convert(nodes: Ordered[], lines: LineStarts, depth: number): XmlElement[] {
  if (depth > MAX_XML_DEPTH) return [];
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES);
    if (!name || name === '#text' || name.startsWith('?')) return [];
    const inner = (node[name] ?? []) as Ordered[];
    const metadata = node[METADATA] as { startIndex?: number } | undefined;
    const attributes = Object.entries((node[ATTRIBUTES] ?? {}) as Record<string, string>);
    return [
      {
        name,
        attributes: new Map(attributes.map(([key, value]) => [key.toLowerCase(), String(value)])),
        text: inner
          .map((child) => ('#text' in child ? String(child['#text']) : ''))
          .join('')
          .trim(),
        line: lines.lineAt(metadata?.startIndex ?? 0),
        children: convert(inner, lines, depth + 1),
      },
    ];
  });
}

/** Offsets only grow while a document is converted in order, but the search doesn't depend on it. */
class LineStarts {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1))
      this.#starts.push(end + 1);
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.text || undefined;
}

/** All elements with this name at any depth, in document order. */
export function descendants(elements: XmlElement[], name: string): XmlElement[] {
  return elements.flatMap((element) => [
    ...(element.name.toLowerCase() === name.toLowerCase() ? [element] : []),
    ...descendants(element.children, name),
  ]);
}
