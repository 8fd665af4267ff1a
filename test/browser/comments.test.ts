/** Comments in the browser: preview, quoted replies, earlier texts, images and deleting, with a second person who sees it at once. */
import { expect, it } from 'vitest';
import {
  expectAccessibleAsShown,
  expectAccessibleAtBothWidths,
  startBrowser,
  startServiceWithPages,
} from './browser.ts';
import { eventually } from './eventually.ts';
import { samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme } = service;
/** One black pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Runs in the page. */
const GIVE_FILE = `([pixel, kind, mediaType, fileName]) => {
  const area = document.querySelector('textarea[aria-label="Comment on the pull request"]');
  const bytes = Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], fileName, { type: mediaType }));
  const init = { bubbles: true, cancelable: true };
  area.dispatchEvent(
    kind === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: data })
      : new DragEvent('drop', { ...init, dataTransfer: data }),
  );
}`;

it('previews, quotes, keeps earlier texts and deletes, and others see it at once', async () => {
  const pullRequest = await samplePullRequest(service, {
    title: 'Count the rows',
    before: { 'a.txt': 'one\n' },
    after: { 'a.txt': 'two\n' },
    description: '- [ ] Count **all** rows\n- [x] Name them\n  - [ ] Twice',
  });
  await pullRequest.post(acme.admin, 'discussions', {
    file: 'a.txt',
    startLine: 1,
    body: 'Why **two**?\n\nReally',
  });
  const { page: watching } = await newPerson(service.url, { as: acme.viewer, dark: true, phone: true });
  const { page } = await newPerson(service.url, { as: acme.member });
  for (const each of [page, watching]) await each.goto(`/pull-requests/${pullRequest.id}`);
  const card = page.getByRole('article', { name: 'Discussion by Acme admin' });

  // Tasks of the description, by key: both ticks are saved, others see them, and the focus stays.
  const description = page.getByRole('region', { name: 'Description' });
  await description.getByRole('checkbox', { name: 'Count all rows' }).press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const seen = watching.getByRole('region', { name: 'Description' });
  await eventually(() => seen.getByRole('img', { name: 'Done', exact: true }).count()).toBe(3);
  expect(await seen.getByRole('checkbox').count()).toBe(0);
  await eventually(() => page.evaluate('document.activeElement.getAttribute("type")')).toBe('checkbox');
  expect(await description.getByRole('checkbox', { name: 'Twice', exact: true }).isChecked()).toBe(true);

  // The whole comment, by key; then only what is selected.
  await card.getByText('Why two?').click();
  await page.keyboard.press('q');
  const reply = page.getByRole('textbox', { name: 'Reply to Acme admin' });
  await eventually(() => reply.inputValue()).toBe('> Why **two**?\n>\n> Really\n\n');
  await reply.fill('');
  await card.getByText('Really').selectText();
  await card.getByRole('button', { name: 'Quote reply' }).click();
  await eventually(() => reply.inputValue()).toBe('> Really\n\n');
  await reply.press('End');
  await page.keyboard.type('Yes, **really**.');
  await card.getByRole('button', { name: 'Preview' }).click();
  const preview = card.getByRole('region', { name: 'Preview' });
  await preview.getByText('really', { exact: true }).waitFor();
  await expectAccessibleAtBothWidths(page, 'a preview');
  await page.keyboard.press('Escape');
  await reply.waitFor();
  await page.keyboard.press('Control+Enter');
  await watching.getByText('Yes, really.').waitFor();

  // An image is pasted; what is no image is refused and said.
  const general = page.getByRole('textbox', { name: 'Comment on the pull request' });
  const give = (event: 'paste' | 'drop', type: string, name: string) =>
    page.evaluate(`(${GIVE_FILE})(${JSON.stringify([PIXEL, event, type, name])})`);
  await give('drop', 'text/plain', 'notes.txt');
  await page.getByText('Only images can be added to a comment.').waitFor();
  await give('paste', 'image/png', 'chart.png');
  await eventually(() => general.inputValue()).toMatch(/^!\[chart\]\(\/api\/v2\/images\/[0-9a-f-]{36}\)\n$/);
  await expectAccessibleAsShown(page, 'a comment with an image');
  await general.press('Control+Enter');
  for (const each of [page, watching]) {
    await eventually(() => each.evaluate('document.querySelector("img[alt=chart]")?.naturalWidth')).toBe(1);
  }

  // Reactions, by keyboard and with a click; others see them without reloading, with the names.
  const reaction = card.getByRole('button', { name: 'Add a reaction' }).first();
  await reaction.press('Enter');
  await page.getByRole('menuitem', { name: 'Thumbs up' }).waitFor();
  await expectAccessibleAsShown(page, 'the menu of reactions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const reactions = watching.getByRole('list', { name: 'Reactions' });
  await reactions.getByTitle('Acme member: thumbs down').waitFor();
  await expectAccessibleAtBothWidths(watching, 'a comment with a reaction');
  const { page: third } = await newPerson(service.url, { as: acme.admin });
  await third.goto(`/pull-requests/${pullRequest.id}`);
  await third.getByRole('button', { name: 'Acme member: thumbs down' }).click();
  for (const each of [page, watching])
    await each.getByTitle('Acme member, Acme admin: thumbs down').waitFor();
  await page
    .getByRole('button', { name: 'Acme member, Acme admin: thumbs down', pressed: true })
    .press('Space');
  await reactions.getByTitle('Acme admin: thumbs down', { exact: true }).waitFor();
  await third.close();

  // Earlier texts, for everyone who can read the comment.
  const conversation = page.getByRole('list', { name: 'Conversation' });
  await conversation.getByRole('button', { name: 'Edit comment' }).last().click();
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('No chart');
  await page.keyboard.press('Control+Enter');
  await watching.getByText('No chart').waitFor();
  await watching.getByRole('button', { name: 'edited' }).click();
  const history = watching.getByRole('dialog', { name: 'Edit history' });
  await history.getByRole('img', { name: 'chart' }).waitFor();
  await expectAccessibleAsShown(watching, 'the edit history');
  await watching.keyboard.press('Escape');

  // Deleting leaves a place, or takes the discussion with it.
  const remove = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await conversation.getByRole('button', { name: 'Delete comment' }).last().press('Enter');
  await expectAccessibleAsShown(page, 'the question before deleting');
  await remove();
  for (const each of [page, watching]) {
    await each.getByText('Comment deleted by Acme member').waitFor();
    await each.getByText('No chart').waitFor({ state: 'detached' });
  }
  await expectAccessibleAtBothWidths(watching, 'a deleted comment');
  await card.getByRole('button', { name: 'Delete comment' }).click();
  await remove();
  await eventually(() => watching.getByText('Comment deleted by Acme member').count()).toBe(2);
  const { page: admin } = await newPerson(service.url, { as: acme.admin });
  await admin.goto(`/pull-requests/${pullRequest.id}`);
  await admin.getByRole('article').getByRole('button', { name: 'Delete comment' }).click();
  await admin
    .getByRole('dialog', { name: 'Delete this discussion?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  for (const each of [admin, watching]) await each.getByRole('article').waitFor({ state: 'detached' });
});
