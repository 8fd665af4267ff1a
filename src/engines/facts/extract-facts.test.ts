/** Extraction of one file: languages, parsing, and limits. */
import { describe, expect, it } from 'vitest';
import { extractFacts } from './extract-facts.ts';
import type { Extractor } from './extractor.ts';

const SAMPLES: Record<string, string> = {
  'a.sh': 'greet() { echo hi; }\n',
  'a.c': 'int main(void) { return 0; }\n',
  'A.cs': 'class A { void B() {} }\n',
  'a.go': 'package a\nfunc A() {}\n',
  'A.java': 'class A { void b() {} }\n',
  'a.js': 'export function a() {}\n',
  'a.php': '<?php function a() {}\n',
  'a.py': 'def a():\n    pass\n',
  'a.rb': 'def a\nend\n',
  'a.rs': 'pub fn a() {}\n',
  'a.tsx': 'export const A = () => <b>hi</b>;\n',
  'a.ts': 'export function a(): void {}\n',
};

describe('extractFacts', () => {
  it.each(Object.entries(SAMPLES))('parses %s without errors', async (path, text) => {
    let hasError: boolean | undefined;
    const look: Extractor = {
      name: 'look',
      accepts: () => true,
      extract: ({ tree }) => {
        hasError = tree?.rootNode.hasError;
        return [];
      },
    };
    const { incomplete, lines } = await extractFacts({ path, text }, [look]);
    expect({ hasError, incomplete, lines }).toEqual({
      hasError: false,
      incomplete: null,
      lines: text.split('\n').length - 1,
    });
  });
});
