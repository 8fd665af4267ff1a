/** Definitions, imports and uses in Rust. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads Rust', async () => {
  const found = await describeFile(
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
