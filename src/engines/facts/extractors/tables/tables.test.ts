/** Tables that migrations and models provide, and those that queries use. */
import { expect, it } from 'vitest';
import { describeFacts, nameFacts } from '../describe-facts.ts';
import { tables } from './index.ts';

it('reads SQL files', async () => {
  const sql = `CREATE TABLE IF NOT EXISTS "public"."Users" (id int); -- CREATE TABLE no1 (x)
CREATE TEMP TABLE no2 (x int);
ALTER TABLE ONLY orders ADD COLUMN note text DEFAULT 'FROM no3';
/* DELETE FROM no4 */
WITH recent AS (SELECT * FROM orders) SELECT extract(year FROM no5) FROM recent
  JOIN [dbo].[Items] i ON true WHERE a IS DISTINCT FROM no6;
INSERT INTO audit(a) SELECT x FROM generate_series(1, 2);
UPDATE users SET a = 1; SELECT 1 FROM t FOR UPDATE OF no7; GRANT SELECT, UPDATE ON no8 TO x;
INSERT INTO k VALUES (1) ON CONFLICT DO UPDATE SET a = 1;`;
  expect(await describeFacts(tables, 'a.sql', sql)).toEqual([
    'provides users @1 sql',
    'provides orders @3 sql',
    'uses orders @5 sql',
    'uses items @6 sql',
    'uses audit @7 sql',
    'uses users @8 sql',
    'uses t @8 sql',
    'uses k @9 sql',
  ]);
});

const CASES: [name: string, path: string, text: string, tables: string[]][] = [
  [
    'strings in code',
    'a.go',
    'package a\nvar q = `\n  SELECT a.id FROM albums a\n  LEFT JOIN artists USING (id)`\nvar s = "Select a file from the list"\nvar t = "select * from tracks where id = ?"\nvar u = "DELETE FROM " + table',
    ['uses albums', 'uses artists', 'uses tracks'],
  ],
  [
    'drizzle',
    'a.ts',
    "import { pgTable } from 'drizzle-orm/pg-core';\nexport const users = pgTable('users', {});\npgTable(x, {});",
    ['users'],
  ],
  [
    'typeorm',
    'a.ts',
    "import { Entity } from 'typeorm';\n@Entity({ name: 'people' })\nclass A {}\n@Entity()\nclass OrderLine {}",
    ['people', 'order_line'],
  ],
  [
    'builders',
    'a.js',
    "exports.up = (knex) => knex.schema.createTable('a', t => {});\nqueryInterface.addColumn('b', 'x', {});\ndb.selectFrom('c as d');\ntable.get('no');",
    ['a', 'b', 'uses c'],
  ],
  [
    'prisma',
    'schema.prisma',
    'model User {\n  id Int\n  @@map("users")\n}\nmodel Post {\n}\n',
    ['users', 'post'],
  ],
  [
    'django',
    'shop/orders/models.py',
    'from django.db import models\nclass Order(models.Model):\n    x = 1\nclass Base(models.Model):\n    class Meta:\n        abstract = True\nclass Line(models.Model):\n    class Meta:\n        db_table = "lines"\n',
    ['orders_order', 'lines'],
  ],
  [
    'sqlalchemy and alembic',
    'a.py',
    'import sqlalchemy as sa\nfrom alembic import op\nclass A(Base):\n    __tablename__ = "accounts"\ndef upgrade():\n    op.create_table("logs", sa.Column("id"))',
    ['accounts', 'logs'],
  ],
  [
    'jpa',
    'A.java',
    'import jakarta.persistence.*;\n@Entity\n@Table(name = "pet_owners")\nclass Owner {}\n@Entity class Visit {}\n@Entity class PetType {}',
    ['pet_owners', 'visit'],
  ],
  ['gorm', 'a.go', 'package a\nfunc (User) TableName() string { return "app_users" }', ['app_users']],
  [
    'entity framework',
    'A.cs',
    'class A { void F() { builder.ToTable("Catalog"); migrationBuilder.CreateTable(name: "orders", columns: x); } }',
    ['catalog', 'orders'],
  ],
  [
    'rails',
    'db/schema.rb',
    'ActiveRecord::Schema.define do\n  create_table "users", force: :cascade do |t|\n  end\n  add_column :posts, :title, :string\nend',
    ['users', 'posts'],
  ],
  [
    'laravel',
    'a.php',
    "<?php\nSchema::create('books', function ($t) {});\nDB::table('books as b')->get();\nclass Book extends Model { protected $table = 'old_books'; }",
    ['books', 'uses books', 'old_books'],
  ],
];

it.each(CASES)('finds tables of %s', async (_name, path, text, expected) => {
  expect(await nameFacts(tables, path, text)).toEqual(expected);
});
