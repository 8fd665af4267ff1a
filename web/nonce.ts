/** Lets the dialogs' scroll lock add its style element under our Content-Security-Policy: by the page's own nonce. */
import { setNonce } from 'get-nonce';

export function applyNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  if (nonce) setNonce(nonce);
}
