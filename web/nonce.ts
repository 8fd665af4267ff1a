/** Gives the page's nonce to the dialogs' scroll lock, so that our Content-Security-Policy allows its style element. */
import { setNonce } from 'get-nonce';

export function applyNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  if (nonce) setNonce(nonce);
}
