/** Copy buttons that confirm. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useToast } from './toast.tsx';

export function CopyButton(props: { text: string; name: string; label?: string; small?: boolean }) {
  const { label = 'Copy', name, small, text } = props;
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else toast('Couldn’t copy. Select the text and copy it manually.', 'danger');
  };
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size={small ? 'small' : 'usual'}
      aria-label={copied ? 'Copied' : name}
      onClick={() => void copy()}
    >
      {copied ? (
        <Check className="size-4" aria-hidden="true" />
      ) : (
        <Copy className="size-4" aria-hidden="true" />
      )}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}

/** A line to paste into a terminal. */
export function CommandLine({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm font-medium">{label}</span>
        <CopyButton small text={text} name={`Copy: ${label}`} />
      </div>
      <pre className="rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap text-text">
        {text}
      </pre>
    </div>
  );
}

/** The clipboard API needs https or loopback; elsewhere `execCommand` still works. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Inserted next to the focused element, because a dialog takes the focus back from anything outside it. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  (focused?.parentElement ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
