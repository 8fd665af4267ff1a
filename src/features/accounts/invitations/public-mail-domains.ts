/** Domains at which anyone can get an address, so that a link for one of them would invite everyone. Not complete. */

const PUBLIC = new Set(
  (
    'aol.com fastmail.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com icloud.com ' +
    'live.com mail.com mail.ru mailinator.com me.com msn.com outlook.com pm.me posteo.de proton.me protonmail.com qq.com ' +
    '163.com t-online.de web.de yahoo.com yahoo.co.jp yandex.com yandex.ru zoho.com'
  ).split(' '),
);

export function isPublicMailDomain(domain: string): boolean {
  return PUBLIC.has(domain);
}
