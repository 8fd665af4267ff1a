/** An image of the repository. It is shown as a data address: opening it can run nothing. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useNearby } from '../../markdown/use-nearby.ts';
import { type CodePlace, imageQuery } from '../../parts/code/code-queries.ts';

export function RepositoryImage(props: {
  place: CodePlace;
  path: string;
  alternative: string;
  /** Shown while it loads, and if it can't be shown. */
  instead: ReactNode;
}) {
  const { alternative, instead, path, place } = props;
  const element = useRef<HTMLSpanElement>(null);
  const { data } = useQuery({ ...imageQuery(place, path), enabled: useNearby(element) });
  if (!data) return <span ref={element}>{instead}</span>;
  return <img src={`data:${data.mediaType};base64,${data.base64}`} alt={alternative} />;
}
