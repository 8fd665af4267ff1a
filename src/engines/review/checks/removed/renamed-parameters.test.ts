/** Parameters of Python that calls still pass by their old name, in real repositories. */
import { expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

const RATES =
  'from functools import cache\n\n\ndef convert(amount, currency, *, when=None):\n    return amount\n\n\nclass Money:\n    def __init__(self, amount, unit="EUR"):\n        self.amount = amount\n\n\n@cache\ndef cached(currency):\n    return 1\n\n\ndef loose(currency, **rest):\n    return 1\n\n\ndef first(amount, /, currency):\n    return 1\n';
const NEW = RATES.replaceAll('currency', 'code')
  .replace('unit', 'code')
  .replace('first(amount', 'first(total');

function find(users: Record<string, string>): Promise<string[]> {
  const others = { 'acme/__init__.py': '', 'acme/public/__init__.py': 'from ..rates import convert\n' };
  return findingsOf(
    { 'acme/rates.py': RATES, ...others, ...users },
    { 'acme/rates.py': NEW },
    'renamed_parameter',
  );
}

it('finds calls through imports of the function, its module and its package, over several lines, and of classes', async () => {
  const bodies = [
    'from acme.rates import convert\nconvert(1, currency="EUR")\n',
    'from .rates import convert as change\nchange(\n    "a, (b",  # c)\n    when=f(x=1),\n    currency="EUR",\n)\n',
    'from acme import rates\nrates.convert(1, currency=2)\n',
    'import acme.rates\nacme.rates.convert(1, currency=2)\n',
    'import acme.rates as r\nr.convert(1, currency=2)\n',
    'from acme.public import convert\nconvert(1, currency=2)\n',
    'from acme.rates import Money\nMoney(1, unit="USD")\n',
    'from acme import rates\nfrom acme.rates import convert\nconvert(1, currency=rates)\n',
    'from acme.rates import first\nfirst(1, currency=2)\n',
  ];
  const users = Object.fromEntries(bodies.map((body, index) => [`acme/user${index}.py`, body]));
  for (const [path, body] of Object.entries(users)) {
    const name = /Money\(|first\(/.exec(body)?.[0].slice(0, -1) ?? 'convert';
    const found = await find({ [path]: body });
    expect(
      found.map((each) => each.replace(/^.*\d /, '')),
      body,
    ).toEqual([`${name} is still called with its old parameter ${name === 'Money' ? 'unit' : 'currency'}`]);
  }
});

it('says nothing about other functions, calls that fit, and functions that take anything', async () => {
  const bodies = [
    'from acme.rates import convert\nconvert(1, code=2)\nother(currency=1)\nconvert(1, f(currency=2))\n',
    'from other.rates import convert\nconvert(1, currency=2)\n',
    'from acme.rates import cached, loose\ncached(currency=1)\nloose(currency=1)\n',
    'from acme.rates import convert\n\ndef run(convert):\n    convert(1, currency=2)\n',
    'from acme.rates import convert\n\ndef run():\n    from other import convert\n    convert(1, currency=2)\n',
    'from acme.rates import convert\nconvert = other\nconvert(1, currency=2)\n',
    'from acme import rates\nrates.convert(1, **{"currency": 2})\n# rates.convert(1, currency=2)\n',
    'from acme.rates import first\nfirst(1, amount=2)\n',
    'from acme.public import other\nconvert(1, currency=2)\n',
  ];
  const users = Object.fromEntries(bodies.map((body, index) => [`acme/user${index}.py`, body]));
  expect(await find(users)).toEqual([]);
});
