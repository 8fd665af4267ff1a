/** Definitions, imports and uses in TypeScript and JavaScript. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads TypeScript', async () => {
  const found = await describeFile(
    'a.ts',
    `import fs, { readFile as read, type Stats } from 'node:fs';
import * as path from 'path';
import old = require('old');
export { one, two as three } from './other.ts';
export * from './all.ts';
const { a, b: c } = require('required');
export function add(x: number, y = 1, ...rest: string[]): number { return x + y; }
export default class Reader<T> extends Base {
  private secret = 1;
  size?: number;
  handler = (event: Event) => read(event);
  #hidden = 2;
  constructor(readonly name: string) { super(); }
  async load(this: Reader<T>, from: string, to?: string): Promise<void> { path.join('not used', from); }
}
interface Shape { area(unit: string): number; width: number }
export type Id = string | number;
export enum Color { Red, Green = 'green' }
export const LIMIT = 10, twice = (n: number) => add(n, n);
let counter = 0; // comment about LIMIT
export { Shape, counter as count };
export namespace Inner { export const deep = 1; const own = 2; }
declare module 'ambient' { export function late(): void; }
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "node:fs 1: default as fs, readFile as read, Stats",
        "path 2: * as path",
        "old 3: * as old",
        "./other.ts 4: one, two as three",
        "./all.ts 5: *",
        "required 6: a, b as c",
      ],
      "incomplete": null,
      "symbols": [
        "+function add(1..) 7",
        "+class Reader 8-15",
        "-field Reader.secret 9",
        "+field Reader.size 10",
        "+method Reader.handler(1..1) 11",
        "+method Reader.constructor(1..1) 13",
        "+method Reader.load(1..2) 14",
        "+interface Shape 16",
        "-method Shape.area(1..1) 16",
        "-field Shape.width 16",
        "+type Id 17",
        "+enum Color 18",
        "+constant Color.Red 18",
        "+constant Color.Green 18",
        "+constant LIMIT 19",
        "+function twice(1..1) 19",
        "+variable counter 20",
        "+module Inner 22",
        "+constant Inner.deep 22",
        "-constant Inner.own 22",
        "-module ambient 23",
        "+function ambient.late(0..0) 23",
      ],
      "uses": [
        "Base 8",
        "Event 11",
        "Promise 14",
        "Reader 14",
        "Shape 21",
        "Stats 1",
        "T 8,14",
        "a 6",
        "add 19",
        "b 6",
        "c 6",
        "count 21",
        "counter 21",
        "event 11",
        "from 14",
        "fs 1",
        "join 14",
        "n 19",
        "name 13",
        "old 3",
        "one 4",
        "path 2,14",
        "read 1,11",
        "readFile 1",
        "require 6",
        "rest 7",
        "three 4",
        "to 14",
        "two 4",
        "unit 16",
        "x 7",
        "y 7",
      ],
    }
  `);
});

it('reads JavaScript', async () => {
  const found = await describeFile(
    'a.js',
    `const express = require('express');
require('./side-effect');
exports.start = function (port) { return express().listen(port); };
module.exports.LIMIT = 3;
module.exports = { Box, other: twice };
function twice() {}
class Box { size = 1; open(force = false) { return <Panel open={force}>text size</Panel>; } }
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "express 1: * as express",
        "./side-effect 2: ",
      ],
      "incomplete": null,
      "symbols": [
        "+function start(1..1) 3",
        "+constant LIMIT 4",
        "+function twice(0..0) 6",
        "+class Box 7",
        "-field Box.size 7",
        "-method Box.open(0..1) 7",
      ],
      "uses": [
        "Box 5",
        "Panel 7",
        "exports 3,4,5",
        "express 1,3",
        "force 7",
        "listen 3",
        "module 4,5",
        "open 7",
        "other 5",
        "port 3",
        "require 1,2",
        "twice 5",
      ],
    }
  `);
});
