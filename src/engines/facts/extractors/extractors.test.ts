/** Environment variables, contracts, entry points, headings, infrastructure, owners and used symbols. */
import { describe, expect, it } from 'vitest';
import type { Extractor } from '../extractor.ts';
import { contracts } from './contracts.ts';
import { describeFacts } from './describe-facts.ts';
import { entryPoints } from './entry-points.ts';
import { environment } from './environment.ts';
import { headings } from './headings.ts';
import { infrastructure } from './infrastructure.ts';
import { owners } from './owners.ts';
import { symbolUses } from './symbol-uses.ts';

type Case = [extractor: Extractor, path: string, text: string, facts: string[]];

const VARIABLES: Case[] = [
  [
    environment,
    'a.ts',
    `const { a } = process\n  .x;\nconst k = process.${'env'}.API_KEY ?? process.${'env'}['OTHER'];\n// process.${'env'}.NO`,
    ['uses API_KEY @3', 'uses OTHER @3'],
  ],
  [
    environment,
    'a.py',
    "os.environ['A_B'] == x\nos.getenv(\n  'C_D')\nos.environ.get('E_F', 1)\nos.environ['SET'] = x",
    ['uses A_B @1', 'uses E_F @4'],
  ],
  [environment, 'a.go', 'package a\nvar x = os.Getenv("A_B")', ['uses A_B @2']],
  [environment, 'A.java', 'class A { String x = System.getenv("A_B"); }', ['uses A_B @1']],
  [
    environment,
    'A.java',
    `class A { A(@Value("http://\${API_ADDR}/x") String a,\n@Value("\${C_D:1}") int b, @Value("\${jwt.secret}") String c) {} }`,
    ['uses API_ADDR @1', 'uses C_D @2'],
  ],
  [environment, 'a.rb', "ENV['A_B']\nENV.fetch('C_D', nil)", ['uses A_B @1', 'uses C_D @2']],
  [environment, 'a.php', "<?php\n$x = env('A_B');\n$_SERVER['HTTP_HOST'];", ['uses A_B @2']],
  [environment, 'A.cs', 'var x = Environment.GetEnvironmentVariable("A_B");', ['uses A_B @1']],
  [environment, 'a.rs', 'let x = std::env::var("A_B");', ['uses A_B @1']],
  [
    environment,
    '.env.example',
    'A_B=1\n# C_D=\n# a comment = x\n',
    ['provides A_B @1 env file', 'provides C_D @2 env file'],
  ],
  [
    environment,
    'Dockerfile',
    'FROM x\nENV A_B=1 \\\n    C_D=2\nENV E_F g\n',
    ['provides A_B @2 dockerfile', 'provides C_D @3 dockerfile', 'provides E_F @4 dockerfile'],
  ],
  [
    environment,
    'compose.yml',
    'services:\n  web:\n    environment:\n      - A_B=1\n      - C_D\n  db:\n    environment:\n      E_F: x\n',
    ['provides A_B @4 service web', 'provides C_D @5 service web', 'provides E_F @8 service db'],
  ],
  [
    environment,
    'k8s/a.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  containers:\n    - env:\n        - name: A_B\n          value: x\n',
    ['provides A_B @8 Deployment web'],
  ],
  [
    environment,
    '.github/workflows/a.yml',
    'env:\n  A_B: 1\njobs:\n  x:\n    steps:\n      - env: { C_D: 2 }\n',
    ['provides A_B @2 ci', 'provides C_D @6 ci'],
  ],
];

const CONTRACTS: Case[] = [
  [
    contracts,
    'a.proto',
    'syntax = "proto3";\npackage shop.v1;\nimport "google/protobuf/empty.proto";\n/* service No { */\nservice Cart {\n  rpc Add(Item) returns (Empty) {}\n}\nmessage Item { message Inner {} }\n',
    [
      'uses proto:google/protobuf/empty.proto @3 import',
      'provides proto:shop.v1.Cart @5 service',
      'provides proto:shop.v1.Cart/Add @6 rpc',
      'provides proto:shop.v1.Item @8 message',
    ],
  ],
  [
    contracts,
    'schema.graphql',
    '"""\ntype No\n"""\ntype User { id: ID! }\ntype Query {\n  user(\n    id: ID!\n  ): User\n  users: [User]\n}\n',
    [
      'provides graphql:User @4 type',
      'provides graphql:Query.user @6 field',
      'provides graphql:Query.users @9 field',
    ],
  ],
  [
    contracts,
    'a.gql',
    'query Me($id: ID!) {\n  me: user(id: $id) {\n    id\n  }\n}\n',
    ['uses graphql:Query.user @2 operation'],
  ],
  [
    contracts,
    'asyncapi.yaml',
    "asyncapi: '2.6.0'\ninfo:\n  title: Shop\nchannels:\n  order/paid:\n    subscribe: {}\n",
    ['provides asyncapi:Shop @3', 'provides order/paid @5 asyncapi'],
  ],
  [
    contracts,
    'a.go',
    'package a\nimport pb "example.com/genproto"\nfunc f() {\n\tc := pb.NewCartServiceClient(conn)\n\tpb.RegisterCheckoutServer(s, x)\n}',
    ['uses proto:CartService @4 grpc', 'provides proto:Checkout @5 grpc'],
  ],
  [contracts, 'b.go', 'package a\nfunc f() { x.NewOrderClient(1) }', []],
  [
    contracts,
    'a.py',
    'import grpc\nstub = demo_pb2_grpc.EmailServiceStub(channel)\ndemo_pb2_grpc.add_EmailServiceServicer_to_server(s, x)',
    ['uses proto:EmailService @2 grpc', 'provides proto:EmailService @3 grpc'],
  ],
  [
    contracts,
    'Ads.java',
    'import io.grpc.Server;\nclass Impl extends shop.AdsGrpc.AdsImplBase {}\n// class X extends OldGrpc.OldImplBase {}',
    ['provides proto:Ads @2 grpc'],
  ],
  [
    contracts,
    'Cart.cs',
    'using Grpc.Core;\npublic class CartService : Shop.CartService.CartServiceBase {}',
    ['provides proto:CartService @2 grpc'],
  ],
  [
    contracts,
    'a.ts',
    "import { ChannelCredentials } from '@grpc/grpc-js';\nconst client = new AdsClient(ADDRESS, ChannelCredentials.createInsecure());\nserver.addService(\n  shop.Payments.service,\n  {},\n);",
    ['uses proto:Ads @2 grpc', 'provides proto:Payments @3 grpc'],
  ],
  [
    contracts,
    'a.cpp',
    '#include <grpcpp/grpcpp.h>\nclass Server final : public shop::Currency::Service {};\nauto stub = shop::Ads::NewStub(channel);',
    ['provides proto:Currency @2 grpc', 'uses proto:Ads @3 grpc'],
  ],
];

const PROGRAMS: Case[] = [
  [
    entryPoints,
    'package.json',
    '{"name": "@a/tool",\n"bin": "cli.js",\n"scripts": {"start": "node ."}}',
    ['provides tool @2 cli.js', 'provides npm start @3 node .'],
  ],
  [entryPoints, 'cmd/a/main.go', 'package main\n\nfunc main() {}\n', ['provides main @3 go']],
  [entryPoints, 'lib/a.go', 'package lib\n\nfunc main() {}\n', []],
  [entryPoints, 'pyproject.toml', '[project.scripts]\nserve = "app:main"\n', ['provides serve @2 app:main']],
  [entryPoints, 'a.py', 'x = 1\nif __name__ == "__main__":\n    run()\n', ['provides __main__ @2 python']],
  [
    entryPoints,
    'A.java',
    'class A {\n  public static void main(String[] a) {}\n}',
    ['provides main @2 java'],
  ],
  [entryPoints, 'Dockerfile', 'FROM a\nCMD ["x"]\nFROM b\nCMD ["y"]\n', ['provides docker CMD @4 ["y"]']],
  [entryPoints, 'Procfile', 'web: bundle exec puma\n', ['provides web @1 bundle exec puma']],
];

const DOCUMENTS: Case[] = [
  [
    headings,
    'README.md',
    '<h1 align="center">Shop</h1>\n\n[![ci](x)](y)\n\nA **small** [shop](z). Two sentences.\nMore text.\n\n## Use `it`\n\n```sh\n# no heading\n```\n\nRun it. Then stop.\n\nOld style\n---\n',
    [
      'provides Shop @1 A small shop. Two sentences. More text.',
      'provides Use it @8 Run it.',
      'provides Old style @16',
    ],
  ],
  [
    headings,
    'docs/a.rst',
    'Title\n=====\n\n.. note::\n\nText here. More.\n',
    ['provides Title @1 Text here.'],
  ],
  [headings, 'a.adoc', '= Title\n\nText.\n\n== Part\n', ['provides Title @1 Text.', 'provides Part @5']],
  [
    owners,
    '.github/CODEOWNERS',
    '# x\n*.go @acme/go bob@x.y # z\n/docs\n',
    ['provides *.go @2 @acme/go bob@x.y', 'provides /docs @3'],
  ],
];

const FILES: Case[] = [
  [
    infrastructure,
    'Dockerfile',
    'FROM --platform=x node:22 AS build\nFROM build\nFROM nginx\n',
    ['provides docker:node:22 @1 base image', 'provides docker:nginx @3 base image'],
  ],
  [
    infrastructure,
    'docker-compose.yml',
    'services:\n  db:\n    image: postgres:18\n  web:\n    build: ./web\n',
    ['provides compose:db @2 postgres:18', 'provides compose:web @4 built from ./web'],
  ],
  [
    infrastructure,
    'k8s/a.yaml',
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ x }}\n',
    ['provides kubernetes:Service/web @2', 'provides kubernetes:ConfigMap @7'],
  ],
  [
    infrastructure,
    'a.tf',
    'resource "aws_s3_bucket" "files" {\n}\nmodule "vpc" {\n}\n',
    ['provides terraform:aws_s3_bucket.files @1 resource', 'provides terraform:module.vpc @3 module'],
  ],
  [
    infrastructure,
    '.github/workflows/ci.yml',
    'name: Build\non: push\njobs:\n  test: {}\n  lint: {}\n',
    ['provides ci:Build @1 test, lint'],
  ],
  [
    infrastructure,
    'charts/a/Chart.yaml',
    'name: shop\ndescription: A shop\ndependencies:\n  - name: redis\n    version: 1.0.0\n',
    ['provides helm:shop @1 A shop', 'uses helm:redis @4 1.0.0'],
  ],
];

const SYMBOLS: Case[] = [
  [
    symbolUses,
    'a.ts',
    "import React, { useState as s } from 'react';\nimport { x } from './x';\nimport { readFile } from 'node:fs';\nimport { y } from '@/y';\nimport { deep } from '@acme/ui/button';",
    ['uses npm:react#default @1', 'uses npm:react#useState @1', 'uses npm:@acme/ui/button#deep @5'],
  ],
  [
    symbolUses,
    'a.py',
    'from flask import Flask as F\nfrom . import x\nimport os.path\nfrom json import loads',
    ['uses pypi:flask#Flask @1'],
  ],
  [
    symbolUses,
    'a.go',
    'package a\nimport (\n\t"fmt"\n\tapi "k8s.io/api/core/v1"\n)\nfunc f(p api.Pod) { fmt.Println(api.PodRunning, api.Pod{}); x.api.No() }',
    ['uses go:k8s.io/api/core/v1#Pod @6', 'uses go:k8s.io/api/core/v1#PodRunning @6'],
  ],
  [
    symbolUses,
    'A.java',
    'package com.acme;\nimport java.util.List;\nimport com.other.Thing;\npublic class A {}\nclass B {}',
    ['uses maven:com.other.Thing @3', 'provides maven:com.acme.A @4'],
  ],
];

describe.each([
  ['environment', VARIABLES],
  ['contracts', CONTRACTS],
  ['entry points', PROGRAMS],
  ['documents and owners', DOCUMENTS],
  ['infrastructure', FILES],
  ['symbols', SYMBOLS],
] as const)('%s', (_name, cases) => {
  it.each(cases.map(([extractor, path, text, facts]) => ({ extractor, path, text, facts })))(
    'of $path',
    async ({ extractor, facts, path, text }) => {
      expect(await describeFacts(extractor, path, text)).toEqual(facts);
    },
  );
});
