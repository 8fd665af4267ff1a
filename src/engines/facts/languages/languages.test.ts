/** Definitions, imports and uses in each language. */
import { describe, expect, it } from 'vitest';
import type { FileFacts, SymbolDefinition } from '../../../platform/core/code-facts.ts';
import { extractFacts } from '../extract-facts.ts';

/** `+` for exported; the container, kind, lines and parameters. */
function describeSymbol(symbol: SymbolDefinition): string {
  const { container, endLine, isExported, kind, line, name, parameters } = symbol;
  const called = parameters ? `(${parameters.required}..${parameters.total ?? ''})` : '';
  const lines = line === endLine ? line : `${line}-${endLine}`;
  return `${isExported ? '+' : '-'}${kind} ${container ? `${container}.` : ''}${name}${called} ${lines}`;
}

function describeImport({ line, module, names }: FileFacts['imports'][number]): string {
  return `${module} ${line}: ${names.map(({ as, name }) => (as ? `${name} as ${as}` : name)).join(', ')}`;
}

async function read(path: string, text: string) {
  const { imports, incomplete, symbols, uses } = await extractFacts({ path, text }, []);
  return {
    incomplete,
    symbols: symbols.map(describeSymbol),
    imports: imports.map(describeImport),
    uses: uses.map(({ lines, name }) => `${name} ${lines}`),
  };
}

describe('languages', () => {
  it('reads TypeScript', async () => {
    const found = await read(
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
    const found = await read(
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

  it('reads Python', async () => {
    const found = await read(
      'a.py',
      `import os, numpy.linalg as la
from .models import User, Group as G
from typing import *
try:
    import json
except ImportError:
    json = None
LIMIT = 3
class Store(Base):
    """A docstring about LIMIT."""
    table: str = 'users'
    def __init__(self, path, *, mode='r', **rest):
        self.path = os.path.join(path, LIMIT)
    @classmethod
    def _open(cls): pass
@decorated
async def load(store: Store, count: int = 1, *names): return f"{store.path} {count}"
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "os 1: * as os",
          "numpy.linalg 1: * as la",
          ".models 2: User, Group as G",
          "typing 3: *",
          "json 5: * as json",
        ],
        "incomplete": null,
        "symbols": [
          "+variable json 7",
          "+constant LIMIT 8",
          "+class Store 9-15",
          "+field Store.table 11",
          "+method Store.__init__(2..) 12-13",
          "-method Store._open(1..1) 15",
          "+function load(1..) 17",
        ],
        "uses": [
          "Base 9",
          "G 2",
          "Group 2",
          "ImportError 6",
          "LIMIT 13",
          "Store 17",
          "User 2",
          "classmethod 14",
          "cls 15",
          "count 17",
          "decorated 16",
          "int 17",
          "join 13",
          "json 5",
          "la 1",
          "linalg 1",
          "mode 12",
          "models 2",
          "names 17",
          "numpy 1",
          "os 1,13",
          "path 12,13,17",
          "rest 12",
          "self 12,13",
          "store 17",
          "str 11",
          "typing 3",
        ],
      }
    `);
  });

  it('reads Go', async () => {
    const found = await read(
      'a.go',
      `package store
import (
	"fmt"
	log "github.com/x/log"
)
// Limit is a comment.
const Limit, other = 3, 0x1f
var (
	cache = map[string]func(){ "a": func() { fmt.Println("Limit") } }
)
type Store[T any] struct {
	Path, name string
	sync.Mutex
}
type Reader interface {
	Read(p []byte, rest ...int) (n int, err error)
}
type ID = string
func (s *Store[T]) Open(a, b int, names ...string) interface{ Close() } {
	for _, r := range []rune{'{', '\\''} {
		log.Print(s.Path, r, \`raw {
\`)
	}
	return nil
}
func New(f func(int) struct{}) *Store[int] {
	return &Store[int]{Path: "}"}
}
func asm(x uint8)
type last struct{ x int }
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "fmt 3: *",
          "github.com/x/log 4: * as log",
        ],
        "incomplete": null,
        "symbols": [
          "+constant Limit 7",
          "-constant other 7",
          "-variable cache 9",
          "+class Store 11-14",
          "+field Store.Path 12",
          "-field Store.name 12",
          "+interface Reader 15-17",
          "+method Reader.Read(1..) 16",
          "+type ID 18",
          "+method Store.Open(2..) 19-25",
          "+function New(1..1) 26-28",
          "-function asm(1..1) 29",
          "-class last 30",
          "-field last.x 30",
        ],
        "uses": [
          "Close 19",
          "Mutex 13",
          "Path 21,27",
          "Print 21",
          "Println 9",
          "Store 19,26,27",
          "T 11,19",
          "a 19",
          "b 19",
          "err 16",
          "f 26",
          "fmt 9",
          "log 4,21",
          "n 16",
          "names 19",
          "p 16",
          "r 20,21",
          "rest 16",
          "s 19,21",
          "store 1",
          "sync 13",
          "x 29",
        ],
      }
    `);
  });

  it('reads Java', async () => {
    const found = await read(
      'A.java',
      `package a.b;
import java.util.List;
import static org.junit.Assert.*;
@Service
public class Store extends Base {
  public static final int LIMIT = 3;
  private String name, other;
  public Store(String name) { this.name = name; }
  @Override
  public List<String> find(int id, String... rest) { return run(LIMIT); }
  private void hidden() {}
  enum Color { RED, GREEN; void paint() {} }
}
interface Shape { double area(); }
record Point(int x, int y) {}
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "java.util 2: List",
          "org.junit.Assert 3: *",
        ],
        "incomplete": null,
        "symbols": [
          "+class Store 5-13",
          "+constant Store.LIMIT 6",
          "-field Store.name 7",
          "-field Store.other 7",
          "+method Store.Store(1..1) 8",
          "+method Store.find(1..) 10",
          "-method Store.hidden(0..0) 11",
          "+enum Store.Color 12",
          "+constant Color.RED 12",
          "+constant Color.GREEN 12",
          "+method Color.paint(0..0) 12",
          "+interface Shape 14",
          "+method Shape.area(0..0) 14",
          "+class Point 15",
        ],
        "uses": [
          "Assert 3",
          "Base 5",
          "LIMIT 10",
          "List 2,10",
          "Override 9",
          "Service 4",
          "String 7,8,10",
          "a 1",
          "b 1",
          "id 10",
          "java 2",
          "junit 3",
          "name 8",
          "org 3",
          "rest 10",
          "run 10",
          "util 2",
          "x 15",
          "y 15",
        ],
      }
    `);
  });

  it('reads C#', async () => {
    const found = await read(
      'A.cs',
      `using System;
using Json = System.Text.Json;
namespace Shop.Orders;
public class Store : Base {
  public const int Limit = 3;
  private string name;
  public string Title { get; set; } = "x";
  public Store(string name) { this.name = name; }
  public async Task<int> Find(int id, string unit = "kg", params string[] rest) => Limit;
  void Hidden() {}
}
public interface IShape { double Area(); }
enum Color { Red, Green }
public record Point(int X);
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "System 1: *",
          "System.Text.Json 2: * as Json",
        ],
        "incomplete": null,
        "symbols": [
          "+class Store 4-11",
          "+constant Store.Limit 5",
          "-field Store.name 6",
          "+field Store.Title 7",
          "+method Store.Store(1..1) 8",
          "+method Store.Find(1..) 9",
          "-method Store.Hidden(0..0) 10",
          "+interface IShape 12",
          "+method IShape.Area(0..0) 12",
          "+enum Color 13",
          "+field Color.Red 13",
          "+field Color.Green 13",
          "+class Point 14",
        ],
        "uses": [
          "Base 4",
          "Json 2",
          "Limit 9",
          "Orders 3",
          "Shop 3",
          "System 1,2",
          "Task 9",
          "Text 2",
          "X 14",
          "id 9",
          "name 8",
          "rest 9",
          "unit 9",
        ],
      }
    `);
  });

  it('reads Ruby', async () => {
    const found = await read(
      'a.rb',
      `require 'json'
require_relative "lib/store"
module Shop
  LIMIT = 3
  class Store < Base
    attr_accessor :name, :path
    def initialize(name, path = nil, *rest, mode:, &block)
      @name = "#{name} text"
    end
    def self.open(path) = new(path)
    def valid?; true; end
    private
    def hidden; LIMIT; end
  end
end
def helper(x); end
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "json 1: ",
          "lib/store 2: ",
        ],
        "incomplete": null,
        "symbols": [
          "+module Shop 3-15",
          "+constant Shop.LIMIT 4",
          "+class Shop.Store 5-14",
          "+field Store.name 6",
          "+field Store.path 6",
          "+method Store.initialize(2..) 7-9",
          "+method Store.open(1..1) 10",
          "+method Store.valid?(0..0) 11",
          "-method Store.hidden(0..0) 13",
          "+function helper(1..1) 16",
        ],
        "uses": [
          "Base 5",
          "LIMIT 13",
          "attr_accessor 6",
          "block 7",
          "mode 7",
          "name 7,8",
          "new 10",
          "path 7,10",
          "private 12",
          "require 1",
          "require_relative 2",
          "rest 7",
          "x 16",
        ],
      }
    `);
  });

  it('reads PHP', async () => {
    const found = await read(
      'a.php',
      `<?php
namespace App\\Http;
use App\\Models\\User;
use App\\{Order as O, Item};
const LIMIT = 3;
interface Shape { public function area(): float; }
class Store extends Base {
  const MAX = 1;
  private $name = 'x';
  public function find(int $id, string $unit = 'kg', ...$rest) { return User::find($id, "text $unit"); }
  private function hidden() {}
}
enum Color { case Red; }
function helper($x) { return LIMIT; }
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "App\\Models 3: User",
          "App 4: Order as O",
          "App 4: Item",
        ],
        "incomplete": null,
        "symbols": [
          "+constant LIMIT 5",
          "+interface Shape 6",
          "+method Shape.area(0..0) 6",
          "+class Store 7-12",
          "+constant Store.MAX 8",
          "-field Store.name 9",
          "+method Store.find(1..) 10",
          "-method Store.hidden(0..0) 11",
          "+enum Color 13",
          "+constant Color.Red 13",
          "+function helper(1..1) 14",
        ],
        "uses": [
          "App 2,3,4",
          "Base 7",
          "Http 2",
          "Item 4",
          "LIMIT 14",
          "Models 3",
          "O 4",
          "Order 4",
          "User 3,10",
          "find 10",
          "id 10",
          "rest 10",
          "unit 10",
          "x 14",
        ],
      }
    `);
  });

  it('reads Rust', async () => {
    const found = await read(
      'a.rs',
      `use std::{fmt, io::{self, Read as R}, collections::*};
use serde::Serialize;
pub mod inner { pub fn deep() {} }
pub const LIMIT: usize = 3;
pub struct Store<T> { pub path: T, name: String }
pub enum Color { Red, Green(u8) }
pub trait Shape { fn area(&self, unit: &str) -> f64; }
impl<T> Store<T> { pub fn open(&self, path: T) -> Self { fmt::format(LIMIT, "LIMIT") } fn hidden() {} }
impl fmt::Display for Color { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) } }
macro_rules! twice { ($x:expr) => { $x + $x } }
fn main() { twice!(LIMIT); }
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "std 1: fmt",
          "std::io 1: *",
          "std::io 1: Read as R",
          "std::collections 1: *",
          "serde 2: Serialize",
        ],
        "incomplete": null,
        "symbols": [
          "+module inner 3",
          "+function inner.deep(0..0) 3",
          "+constant LIMIT 4",
          "+class Store 5",
          "+field Store.path 5",
          "-field Store.name 5",
          "+enum Color 6",
          "+constant Color.Red 6",
          "+constant Color.Green 6",
          "+interface Shape 7",
          "+method Shape.area(1..1) 7",
          "+method Store.open(1..1) 8",
          "-method Store.hidden(0..0) 8",
          "+method Color.fmt(1..1) 9",
          "+function twice 10",
          "-function main(0..0) 11",
        ],
        "uses": [
          "Color 9",
          "Display 9",
          "Formatter 9",
          "LIMIT 8,11",
          "Ok 9",
          "R 1",
          "Read 1",
          "Result 9",
          "Self 8",
          "Serialize 2",
          "Store 8",
          "String 5",
          "T 5,8",
          "collections 1",
          "f 9",
          "fmt 1,8,9",
          "format 8",
          "io 1",
          "path 8",
          "serde 2",
          "std 1",
          "twice 11",
          "unit 7",
        ],
      }
    `);
  });

  it('reads C and C++', async () => {
    const found = await read(
      'a.cpp',
      `#include <vector>
#include "store.h"
#define LIMIT 3
#define TWICE(x) ((x) + (x))
namespace shop {
template <typename T>
class Store : public Base {
  int hidden_;
public:
  explicit Store(const std::string& name);
  virtual int *find(int id, bool all = false) const { return nullptr; }
  std::string name = "LIMIT";
};
enum class Color { Red, Green };
static int counter = 0;
}
typedef struct node { struct node *next; } node_t;
using Names = std::vector<std::string>;
int shop::Store::find(int id, ...) { return TWICE(id) + LIMIT; }
static void *start(void) { return 0; }
int declared(char *name);
`,
    );
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [
          "vector 1: *",
          "store.h 2: *",
        ],
        "incomplete": null,
        "symbols": [
          "+constant LIMIT 3",
          "+function TWICE(1..1) 4",
          "+class shop.Store 7-13",
          "-field Store.hidden_ 8",
          "+method Store.Store(1..1) 10",
          "+method Store.find(1..2) 11",
          "+field Store.name 12",
          "+enum shop.Color 14",
          "+constant shop.Red 14",
          "+constant shop.Green 14",
          "-variable shop.counter 15",
          "+class node 17",
          "+field node.next 17",
          "+type node_t 17",
          "+type Names 18",
          "+method Store.find(1..) 19",
          "-function start(0..0) 20",
          "+function declared(1..1) 21",
        ],
        "uses": [
          "Base 7",
          "LIMIT 19",
          "Store 19",
          "T 6",
          "TWICE 19",
          "all 11",
          "id 11,19",
          "name 10,21",
          "node 17",
          "shop 5,19",
          "std 10,12,18",
          "string 10,12,18",
          "vector 18",
          "x 4",
        ],
      }
    `);
  });

  it('reads shell scripts', async () => {
    const found = await read('a.sh', 'build() { docker build "$IMAGE"; }\nbuild\n');
    expect(found).toMatchInlineSnapshot(`
      {
        "imports": [],
        "incomplete": null,
        "symbols": [
          "+function build 1",
        ],
        "uses": [
          "IMAGE 1",
          "build 2",
          "docker 1",
        ],
      }
    `);
  });
});
