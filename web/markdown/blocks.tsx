/** Block elements: paragraphs, headings, lists, tables and so on. */
import { Square, SquareCheck } from 'lucide-react';
import { Fragment, type ReactNode, useContext, useId, useRef } from 'react';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram/diagram.tsx';
import { FullScreen } from './full-screen.tsx';
import { FileImages, IdPrefixes, ImageLink, SourceText } from './inline.tsx';
import { PaintedText } from './painted-text.tsx';
import { rememberPieces, SOURCE_TEXT } from './selection.ts';
import { Suggestion, SuggestionBase } from './suggestion.tsx';
import { ToggleTask } from './tickable.tsx';
import type { Block, BlockOf, Footnote, ListItem, SourceRange } from './tree.ts';
import { useOverflows } from './use-overflows.ts';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

export function Blocks({ blocks }: { blocks: readonly Block[] }): ReactNode {
  return blocks.map((block) => <BlockNode key={block.start} block={block} />);
}

export function BlockNode({ block }: { block: Block }): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return <SourceText as="p" nodes={block.children} />;
    case 'heading':
      return <Heading heading={block} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.children} />
        </blockquote>
      );
    case 'list':
      return <List list={block} />;
    case 'code':
      return <Code block={block} />;
    case 'literal':
      return <Literal block={block} />;
    case 'table':
      return <Table table={block} />;
    case 'rule':
      return <hr />;
  }
}

function Code({ block }: { block: BlockOf<'code'> }) {
  const replaced = useContext(SuggestionBase);
  if (block.language === 'mermaid') return <Diagram block={block} />;
  if (block.language === 'suggestion' && replaced !== undefined)
    return <Suggestion before={replaced} block={block} />;
  return <CodeBlock block={block} />;
}

/** HTML as it is written. In the text of a repository, HTML without words is layout: only its images are shown. */
function Literal({ block }: { block: BlockOf<'literal'> }) {
  const { pieces } = block;
  const html = pieces.map(({ text }) => text).join('');
  const isInRepository = useContext(FileImages) !== undefined;
  if (isInRepository && isWordless(html))
    return <HtmlImages html={html} start={block.start} end={block.end} />;
  return (
    <pre {...SOURCE_TEXT} ref={(element) => rememberPieces(element, () => pieces)} className="literal">
      <PaintedText pieces={pieces} />
    </pre>
  );
}

function HtmlImages({ html, start, end }: SourceRange & { html: string }) {
  const images = Array.from(html.replaceAll(/<!--.*?-->/gs, '').matchAll(/<img\b[^>]*>/gi), ([tag]) => ({
    address: attributeOf(tag, 'src'),
    text: attributeOf(tag, 'alt') || 'image',
  })).filter(({ address }) => address !== '');
  if (images.length === 0) return null;
  return (
    <p>
      {images.map(({ address, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text never changes; another one is parsed again.
        <Fragment key={index}>
          {index > 0 && ' '}
          <ImageLink address={address} alternative={{ text, start, end }} />
        </Fragment>
      ))}
    </p>
  );
}

function attributeOf(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return found?.slice(1).find((value) => value !== undefined) ?? '';
}

/** Only tags and comments, such as images and layout. */
function isWordless(html: string): boolean {
  return html.replaceAll(/<!--.*?-->|<[^>]*>/gs, '').trim() === '';
}

function Heading({ heading }: { heading: BlockOf<'heading'> }) {
  const { heading: prefix } = useContext(IdPrefixes);
  const id = prefix && prefix + heading.id;
  return <SourceText as={HEADINGS[heading.level - 1]!} id={id} nodes={heading.children} />;
}

function List({ list }: { list: BlockOf<'list'> }) {
  const Element = list.ordered ? 'ol' : 'ul';
  return (
    <Element
      start={list.ordered && list.first !== 1 ? list.first : undefined}
      className={list.tight ? 'tight' : undefined}
    >
      {list.items.map((item) => (
        <Item key={item.start} item={item} />
      ))}
    </Element>
  );
}

function Item({ item }: { item: ListItem }) {
  const id = useId();
  const toggle = useContext(ToggleTask);
  if (item.done === undefined)
    return (
      <li>
        <Blocks blocks={item.children} />
      </li>
    );
  const Box = item.done ? SquareCheck : Square;
  return (
    <li className="task" data-done={item.done}>
      {toggle ? (
        <input type="checkbox" checked={item.done} aria-labelledby={id} onChange={() => toggle(item.start)} />
      ) : (
        <Box role="img" aria-hidden={false} aria-label={item.done ? 'Done' : 'Not done'} />
      )}
      <div id={id}>
        <Blocks blocks={item.children} />
      </div>
    </li>
  );
}

function Table({ table }: { table: BlockOf<'table'> }) {
  const [head, ...body] = table.rows;
  const cells = (row: (typeof table.rows)[number], as: 'td' | 'th') =>
    row.map((nodes, column) => (
      <SourceText
        // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text never changes; another one is parsed again.
        key={column}
        as={as}
        nodes={nodes}
        className={table.align[column]}
      />
    ));
  const scroll = useRef<HTMLDivElement>(null);
  const overflows = useOverflows(scroll);
  const shown = (
    <table>
      <thead>
        <tr>{cells(head!, 'th')}</tr>
      </thead>
      {body.length > 0 && (
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      )}
    </table>
  );
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={scroll} className="table-scroll" role="group" aria-label="Table" tabIndex={0}>
        {shown}
      </div>
      {overflows && (
        <span className="absolute top-1 right-1 rounded-md bg-page">
          <FullScreen what="Table">{shown}</FullScreen>
        </span>
      )}
    </div>
  );
}

export function FootnoteItem({ note }: { note: Footnote }) {
  const id = useContext(IdPrefixes).note + note.number;
  return (
    <li id={id} value={note.number}>
      <Blocks blocks={note.children} />
      {note.referenced && (
        <a href={`#${id}-reference`} className="back" aria-label={`Back to reference ${note.number}`}>
          ↩
        </a>
      )}
    </li>
  );
}
