/** Images of a commit, over HTTP: how their type is recognized, and what is refused. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, globex } = service;
const key = withKey(acme.member);
const image = (path: string, as: Parameters<typeof service.request>[2] = { as: withSession(acme.viewer) }) =>
  service.request(
    'GET',
    `/api/v2/remote-fs/image?${new URLSearchParams({ repository: 'acme/pictures', path })}`,
    as,
  );

describe('images', async () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
  await addRepository(
    service,
    {
      'a.png': PNG,
      'b.txt': Buffer.from('\xff\xd8\xff\xe0rest', 'latin1'),
      'c.gif': 'GIF89a',
      'd.webp': Buffer.from('RIFF\n\0\0\0WEBPVP8 ', 'latin1'),
      'e.svg': '<?xml version="1.0"?><svg/>',
      'page.png': '<html><script>1</script>',
      'page.html': '<svg/>',
      'large.png': Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]),
    },
    { fullName: 'acme/pictures' },
  );

  it.each([
    ['a.png', 'image/png'],
    ['b.txt', 'image/jpeg'],
    ['c.gif', 'image/gif'],
    ['d.webp', 'image/webp'],
    ['e.svg', 'image/svg+xml'],
  ])('%s is read as %s', async (path, mediaType) => {
    const { body, status } = await image(path);
    expect([status, body.path, body.mediaType]).toEqual([200, path, mediaType]);
    if (path === 'a.png') expect(Buffer.from(body.base64, 'base64')).toEqual(PNG);
  });

  it.each([
    ['page.png', "page.png isn't a PNG, JPEG, GIF, WebP or SVG image."],
    ['page.html', "page.html isn't a PNG, JPEG, GIF, WebP or SVG image."],
    ['large.png', 'large.png is too large to show.'],
    ['none.png', "none.png doesn't exist at this commit."],
  ])('%s is refused', async (path, detail) => {
    const { body, status } = await image(path);
    expect([status, body.detail]).toEqual([404, detail]);
  });

  it('needs a session of the same organization', async () => {
    expect((await image('a.png', { as: key })).status).toBe(403);
    expect((await image('a.png', { as: withSession(globex.owner) })).status).toBe(404);
  });
});
