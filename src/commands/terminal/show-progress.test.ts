/** The progress of a clone, on a terminal and in logs. */
import { describe, expect, it, vi } from 'vitest';
import { createProgressDisplay, describeProgress, type Progress } from './show-progress.ts';

const at = (percent: number | null, phase = 'receiving'): Progress => ({
  phase,
  percent,
  objects: percent === null ? null : percent * 100,
  totalObjects: percent === null ? null : 10_000,
  bytes: percent === null ? null : percent * 1_000_000,
});

function output(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { written, isTTY, columns, write: (text: string) => written.push(text) > 0 };
}

describe('a line', () => {
  it.each([
    [at(45), 'Receiving objects   45%  4,500 of 10,000, 45.0 MB'],
    [at(null, 'connecting'), 'Connecting'],
    [{ ...at(null, 'counting'), objects: 12 }, 'Counting objects  12'],
    [{ ...at(100, 'resolving'), bytes: null }, 'Resolving deltas  100%  10,000 of 10,000'],
    [{ ...at(null), bytes: 999 }, 'Receiving objects  999 B'],
  ])('formats %j', (progress, sentence) => {
    expect(describeProgress(progress)).toBe(sentence);
  });
});

describe('on a terminal', () => {
  it('is one line that is redrawn at a limited rate, never too wide, and removed at the end', () => {
    let now = 0;
    const screen = output(true, 40);
    const display = createProgressDisplay(screen as never, () => now);
    for (let percent = 0; percent <= 100; percent += 1) {
      display.show(at(percent));
      now += 10;
    }
    display.end();
    expect(screen.written.length).toBeLessThan(15);
    for (const text of screen.written) expect(text).toMatch(/^\r\u001b\[2K[^\r\n]{0,39}$/);
    expect(screen.written.at(-1)).toBe('\r\u001b[2K');
    expect(screen.written.at(-2)).toContain('[######');
  });
});

describe('on a terminal without output from git', () => {
  it('is redrawn every second until it ends', () => {
    vi.useFakeTimers();
    try {
      const screen = output(true);
      const display = createProgressDisplay(screen as never, () => Date.now());
      display.show(at(45, 'resolving'));
      vi.advanceTimersByTime(3000);
      expect(screen.written.map((text) => text.split('  ').at(-1)?.trim())).toEqual([
        '4,500 of 10,000, 45.0 MB',
        '1 s',
        '2 s',
        '3 s',
      ]);
      display.end();
      vi.advanceTimersByTime(3000);
      expect(screen.written).toHaveLength(5);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('elsewhere', () => {
  it('is a line for each phase and for each quarter of it', () => {
    const log = output(false);
    const display = createProgressDisplay(log as never);
    display.show(at(null, 'connecting'));
    for (let percent = 0; percent <= 100; percent += 1) {
      display.show(at(percent));
      // Several processes report at once.
      display.show(at(Math.max(0, percent - 2)));
    }
    display.end();
    expect(log.written.map((line) => line.slice(0, 24).trim())).toEqual([
      'Connecting',
      'Receiving objects    0%',
      'Receiving objects   25%',
      'Receiving objects   50%',
      'Receiving objects   75%',
      'Receiving objects  100%',
    ]);
    for (const line of log.written) expect(line.endsWith('\n')).toBe(true);
  });
});
