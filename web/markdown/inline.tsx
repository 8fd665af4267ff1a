/** Inline elements. */
import { Image as ImageIcon } from 'lucide-react';
import { createContext, Fragment, type ReactNode, useContext } from 'react';
import { findReferences } from '../../src/engines/text/index.ts';
import { destinationOf, isFilePath } from './address.ts';
import { PaintedText } from './painted-text.tsx';
import { rememberPieces, SOURCE_TEXT } from './selection.ts';
import { type Inline, type Piece, piecesOf, slicePieces } from './tree.ts';

const InsideLink = createContext(false);

/** The prefix of ids. A footnote's id is unique on the page, so that a reference leads to the footnote of its own text. */
export const IdPrefixes = createContext<{ note: string; heading: string | undefined }>({
  note: '',
  heading: undefined,
});

type TextElement = 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'td' | 'th';

interface TextProps {
  as: TextElement;
  nodes: readonly Inline[];
  id?: string;
  className?: string;
}

/** An element whose text can be selected and traced back to the source. */
export function SourceText({ as: Element, nodes, ...rest }: TextProps) {
  const pieces = () => piecesOf(nodes);
  return (
    <Element
      {...rest}
      {...SOURCE_TEXT}
      ref={(element: HTMLElement | null) => rememberPieces(element, pieces)}
    >
      <Inlines nodes={nodes} />
    </Element>
  );
}

function Inlines({ nodes }: { nodes: readonly Inline[] }): ReactNode {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text never changes; another one is parsed again.
    <InlineNode key={index} node={node} />
  ));
}

function InlineNode({ node }: { node: Inline }): ReactNode {
  switch (node.type) {
    case 'text':
      return <PlainText pieces={node.pieces} />;
    case 'code':
      return (
        <code>
          <PaintedText pieces={node.pieces} />
        </code>
      );
    case 'emphasis':
      return <Wrapped as="em" nodes={node.children} />;
    case 'strong':
      return <Wrapped as="strong" nodes={node.children} />;
    case 'delete':
      return <Wrapped as="del" nodes={node.children} />;
    case 'link':
      return (
        <Link address={node.address} title={node.title}>
          <Inlines nodes={node.children} />
        </Link>
      );
    case 'picture':
      return <img src={node.address} alt={node.alternative} />;
    case 'image-link':
      return <ImageLink address={node.address} alternative={node.alternative} />;
    case 'footnote-reference':
      return <FootnoteReference {...node} />;
    case 'break':
      return <br />;
  }
}

/** With links to what it refers to, unless it is in a link. */
function PlainText({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  const inside = useContext(InsideLink);
  const link = useContext(ReferenceLinks);
  const text = inside || !link ? '' : pieces.map((piece) => piece.text).join('');
  const references = findReferences(text);
  if (!link || references.length === 0) return <PaintedText pieces={pieces} />;
  const parts: ReactNode[] = [];
  let from = 0;
  const addUntil = (to: number) => {
    if (to > from) parts.push(<PaintedText key={from} pieces={slicePieces(pieces, from, to)} />);
    from = to;
  };
  for (const { end, start } of references) {
    addUntil(start);
    const shown = <PaintedText pieces={slicePieces(pieces, start, end)} />;
    parts.push(<Fragment key={start}>{link(text.slice(start, end), shown)}</Fragment>);
    from = end;
  }
  addUntil(text.length);
  return parts;
}

function Wrapped({ as: Element, nodes }: { as: 'em' | 'strong' | 'del'; nodes: readonly Inline[] }) {
  return (
    <Element>
      <Inlines nodes={nodes} />
    </Element>
  );
}

function Link({ address, title, children }: { address: string; title?: string; children: ReactNode }) {
  const inside = useContext(InsideLink);
  const linkToFile = useContext(FileLinks);
  const destination = inside ? undefined : destinationOf(address);
  if (!destination) {
    const link = !inside && isFilePath(address) && linkToFile?.(address, children);
    return link ? <InsideLink value={true}>{link}</InsideLink> : <span title={title}>{children}</span>;
  }
  const outside = destination.kind === 'outside' && {
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
  return (
    <InsideLink value={true}>
      <a href={destination.href} title={title} {...outside}>
        {children}
      </a>
    </InsideLink>
  );
}

/** Renders what a text refers to, such as `@ada` or `#12`. Without it, references are plain text. */
export const ReferenceLinks = createContext<((reference: string, shown: ReactNode) => ReactNode) | undefined>(
  undefined,
);

/** Renders a link to a file by its path. Without it, paths aren't links. */
export const FileLinks = createContext<
  ((address: string, children: ReactNode) => ReactNode | undefined) | undefined
>(undefined);

/** Shows an image by its path; `instead` is the link to it. Without it, only the link is shown. */
export const FileImages = createContext<
  ((address: string, alternative: string, instead: ReactNode) => ReactNode) | undefined
>(undefined);

/** Loading an external image would reveal that the text is being read, so it is a link. */
export function ImageLink({ address, alternative }: { address: string; alternative: Piece }) {
  const showFile = useContext(FileImages);
  const isFile = isFilePath(address) && showFile !== undefined;
  const link = (
    <Link address={address} title={isFile ? undefined : 'External image, not loaded'}>
      <span className="image-link">
        <ImageIcon aria-hidden="true" />
        <PaintedText pieces={[alternative]} />
      </span>
    </Link>
  );
  return isFile ? showFile(address, alternative.text, link) : link;
}

function FootnoteReference({ number, first, label }: { number: number; first: boolean; label: Piece }) {
  const id = useContext(IdPrefixes).note + number;
  return (
    <sup>
      <a href={`#${id}`} id={first ? `${id}-reference` : undefined} aria-label={`Note ${number}`}>
        <PaintedText pieces={[label]} />
      </a>
    </sup>
  );
}
