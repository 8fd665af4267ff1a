/** Shrinks a screenshot's PNG: 256 colors are enough for flat surfaces and antialiased text. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;
/** The largest sum of channel differences at which one color may replace another. */
const MAX_DISTANCE = 18;

/** Takes a PNG as Chromium writes it (8 bits per channel, not interlaced) and returns the same image with a palette. */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, colors } = readColors(png);
  const palette = choosePalette(colors);
  const indexOf = new Map(palette.map((color, index) => [color, index]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < colors.length; at += 1) {
    const color = colors[at]!;
    let index = indexOf.get(color);
    if (index === undefined) {
      index = nearest(palette, color);
      indexOf.set(color, index);
    }
    lines[at + 1 + Math.floor(at / width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colorTable = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colorTable),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readColors(png: Buffer): { width: number; height: number; colors: Uint32Array } {
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  const size = kind === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  let above = new Uint8Array(stride);
  const colors = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const line = unfilter(raw[start]!, raw.subarray(start + 1, start + 1 + stride), above, size);
    for (let x = 0; x < width; x += 1) {
      const at = x * size;
      colors[y * width + x] = (line[at]! << 16) | (line[at + 1]! << 8) | line[at + 2]!;
    }
    above = line;
  }
  return { width, height, colors };
}

/** Reverses a filter of the PNG specification: each byte is stored as the difference from a prediction. */
function unfilter(filter: number, stored: Uint8Array, above: Uint8Array, size: number) {
  const line = new Uint8Array(stored.length);
  for (let at = 0; at < stored.length; at += 1) {
    const left = at >= size ? line[at - size]! : 0;
    const up = above[at]!;
    const upLeft = at >= size ? above[at - size]! : 0;
    const predictions = [0, left, up, (left + up) >> 1, filter === 4 ? paeth(left, up, upLeft) : 0];
    line[at] = stored[at]! + predictions[filter]!;
  }
  return line;
}

function paeth(left: number, up: number, upLeft: number): number {
  const [toLeft, toUp] = [Math.abs(up - upLeft), Math.abs(left - upLeft)];
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/** The most common colors, plus colors that differ from those, so that a small green check mark stays green. */
function choosePalette(colors: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts].sort((one, other) => other[1] - one[1]).map(([color]) => color);
  if (byCount.length <= MAX_COLORS) return byCount;
  const palette = byCount.slice(0, MAX_COLORS / 4);
  for (const color of byCount.slice(palette.length)) {
    if (palette.length === MAX_COLORS) break;
    if (distance(color, palette[nearest(palette, color)]!) > MAX_DISTANCE) palette.push(color);
  }
  return palette;
}

function nearest(palette: number[], color: number): number {
  let best = 0;
  for (let index = 1; index < palette.length; index += 1)
    if (distance(palette[index]!, color) < distance(palette[best]!, color)) best = index;
  return best;
}

function distance(one: number, other: number): number {
  return (
    Math.abs((one >> 16) - (other >> 16)) +
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)) +
    Math.abs((one & 255) - (other & 255))
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}
