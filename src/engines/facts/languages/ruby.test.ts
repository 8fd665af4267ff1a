/** Definitions, imports and uses in Ruby. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads Ruby', async () => {
  const found = await describeFile(
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
