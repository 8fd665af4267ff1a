/** Components of Vue and Svelte: what their script imports and calls, and what their template uses. */
import { expect, it } from 'vitest';
import { extractFacts } from '../extract-facts.ts';

const VUE = `<template>
  <div v-if="isOpen(item)" :title="formatPrice(item.price)" class="formatPrice">
    <UserCard @click="save" />{{ formatPrice(total) }} formatPrice
    {{ item.save }}
  </div>
</template>

<script setup lang="ts">
import UserCard from './UserCard.vue';
import { formatPrice, isOpen } from '@/price';
async function save() {
  await fetch('/api/items', { method: 'POST' });
}
</script>
<style>.formatPrice { color: red }</style>
`;

it('finds uses and calls of a component', async () => {
  const { facts, imports, language, lines, symbols, uses } = await extractFacts({
    path: 'src/Item.vue',
    text: VUE,
  });
  expect({ language, lines }).toEqual({ language: 'html', lines: 15 });
  expect(imports.map(({ line, module }) => `${module}:${line}`)).toEqual(['./UserCard.vue:9', '@/price:10']);
  expect(symbols.map(({ line, name }) => `${name}:${line}`)).toEqual(['save:11']);
  const linesOf = (name: string) => uses.find((use) => use.name === name)?.lines;
  expect(linesOf('formatPrice')?.toSorted((a, b) => a - b)).toEqual([2, 3, 10]);
  expect(linesOf('isOpen')?.toSorted((a, b) => a - b)).toEqual([2, 10]);
  expect(linesOf('UserCard')?.toSorted((a, b) => a - b)).toEqual([3, 9]);
  expect(linesOf('save')).toEqual([3]);
  expect(facts.filter(({ kind }) => kind === 'route')).toEqual([
    { kind: 'route', role: 'uses', name: 'POST /api/items', line: 12, detail: undefined },
  ]);
});

it('reads two scripts of Svelte, and expressions in braces', async () => {
  const text = `<script context="module">export const kind = 1;</script>
<script lang="ts">
  import { total } from '$lib/cart';
</script>
{#if total(items) > 0}<b title={total(items)}>total</b>{/if}
`;
  const { symbols, uses } = await extractFacts({ path: 'src/Cart.svelte', text });
  expect(symbols.map(({ name }) => name)).toEqual(['kind']);
  expect(uses.find(({ name }) => name === 'total')?.lines.toSorted((a, b) => a - b)).toEqual([3, 5]);
});
