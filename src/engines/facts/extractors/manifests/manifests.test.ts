/** Each kind of manifest gives its package, dependencies with version and scope, and workspaces. */
import { expect, it } from 'vitest';
import { describeFacts } from '../describe-facts.ts';
import { manifests } from './index.ts';

const CASES: [path: string, text: string, facts: string[]][] = [
  [
    'web/package.json',
    `{
  "name": "@acme/web", "version": "1.2.0",
  "workspaces": ["packages/*"],
  "dependencies": {
    "react": "^19.0.0",
    "old": "npm:lodash@^4"
  },
  "devDependencies": { "vitest": "5" },
  "peerDependencies": { "vue": "*" }
}`,
    [
      'provides npm:@acme/web @2 1.2.0',
      'provides packages/* @3 npm',
      'uses npm:react @5 ^19.0.0',
      'uses npm:lodash @6 npm:lodash@^4',
      'uses npm:vitest @8 5 dev',
      'uses npm:vue @9 * peer',
    ],
  ],
  [
    'pnpm-workspace.yaml',
    'packages:\n  - apps/*\n  - "!x"\n',
    ['provides apps/* @2 npm', 'provides !x @3 npm'],
  ],
  [
    'pyproject.toml',
    `[project]
name = "My_Service"
version = "2"
dependencies = [
  "Django>=4.2 ; python_version > '3.8'",
  "uvicorn[standard]==0.3",
]
[project.optional-dependencies]
aws = ["boto3"]
[dependency-groups]
dev = ["pytest"]
`,
    [
      'provides pypi:my-service @2 2',
      'uses pypi:django @5 >=4.2',
      'uses pypi:uvicorn @6 ==0.3',
      'uses pypi:boto3 @9 optional',
      'uses pypi:pytest @11 dev',
    ],
  ],
  [
    'pyproject.toml',
    '[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\npython = "^3.9"\nflask = { version = "^2", optional = true }\n[tool.poetry.group.test.dependencies]\nmypy = "1"\n',
    ['provides pypi:a @2', 'uses pypi:flask @5 ^2 optional', 'uses pypi:mypy @7 1 dev'],
  ],
  [
    'requirements-dev.txt',
    '# x\n-r base.txt\nrequests==2.1 # y\n\ngit+https://x\n',
    ['uses pypi:requests @3 ==2.1 dev'],
  ],
  [
    'setup.cfg',
    '[metadata]\nname = pkg\n[options]\ninstall_requires =\n    click>=8\n    jinja2\n[options.extras_require]\nx = redis\n',
    ['provides pypi:pkg @2', 'uses pypi:click @5 >=8', 'uses pypi:jinja2 @6', 'uses pypi:redis @8 optional'],
  ],
  [
    'setup.py',
    "from setuptools import setup\nsetup(\n  name='pkg',\n  install_requires=['a>=1',\n    'b'],\n)\n",
    ['provides pypi:pkg @3', 'uses pypi:a @4 >=1', 'uses pypi:b @5'],
  ],
  [
    'go.mod',
    'module example.com/app/v2\n\ngo 1.25\nrequire github.com/a/b v1.0.0\nrequire (\n\tgithub.com/c/d v0.1.0 // indirect\n)\nreplace x => ../x\n',
    [
      'provides go:example.com/app/v2 @1',
      'uses go:github.com/a/b @4 v1.0.0',
      'uses go:github.com/c/d @6 v0.1.0 indirect',
    ],
  ],
  ['go.work', 'go 1.25\nuse (\n\t./api\n\t.\n)\n', ['provides api @3 go', 'provides . @4 go']],
  [
    'Cargo.toml',
    '[package]\nname = "tool"\nversion = "0.1.0"\n[workspace]\nmembers = ["crates/*"]\n[dependencies]\nserde = { version = "1", optional = true }\nalias = { package = "real", version = "2" }\n[dev-dependencies]\nproptest = "1"\n',
    [
      'provides cargo:tool @2 0.1.0',
      'provides crates/* @5 cargo',
      'uses cargo:serde @7 1 optional',
      'uses cargo:real @8 2',
      'uses cargo:proptest @10 1 dev',
    ],
  ],
  [
    'pom.xml',
    `<project>
  <parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>3</version></parent>
  <artifactId>orders</artifactId>
  <properties><jackson.version>2.17</jackson.version></properties>
  <modules>
    <module>api</module>
  </modules>
  <dependencies>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>shared</artifactId></dependency>
    <dependency>
      <groupId>com.fasterxml</groupId>
      <artifactId>jackson</artifactId><version>\${jackson.version}</version><scope>test</scope>
    </dependency>
  </dependencies>
</project>`,
    [
      'uses maven:com.acme:parent @2 3 build',
      'provides maven:com.acme:orders @3 3',
      'provides api @6 maven',
      'uses maven:com.acme:shared @9',
      'uses maven:com.fasterxml:jackson @12 2.17 test',
    ],
  ],
  [
    'build.gradle.kts',
    "dependencies {\n  implementation(\"io.ktor:ktor-server:2.3.0\")\n  testImplementation(\"a.b:c:$v\")\n  implementation(libs.x)\n  compile group: 'd.e', name: 'f', version: '1'\n}\n",
    ['uses maven:io.ktor:ktor-server @2 2.3.0', 'uses maven:a.b:c @3 test', 'uses maven:d.e:f @5 1'],
  ],
  [
    'settings.gradle',
    "include 'api', ':web:client'\n",
    ['provides api @1 gradle', 'provides web/client @1 gradle'],
  ],
  [
    'src/Shop.Api.csproj',
    '<Project Sdk="Microsoft.NET.Sdk.Web">\n  <ItemGroup>\n    <PackageReference Include="Dapper" Version="2.1" />\n    <ProjectReference Include="..\\Shop.Core\\Shop.Core.csproj" />\n  </ItemGroup>\n</Project>',
    [
      'provides nuget:shop.api @1',
      'uses nuget:dapper @3 2.1',
      'uses nuget:shop.core @4 ../Shop.Core/Shop.Core.csproj',
    ],
  ],
  [
    'Directory.Packages.props',
    '<Project>\n<PackageVersion Include="X" Version="1"/></Project>',
    ['uses nuget:x @2 1'],
  ],
  [
    'a.sln',
    'Project("{9A}") = "Web", "src\\Web\\Web.csproj", "{1}"\n',
    ['provides src/Web/Web.csproj @1 nuget'],
  ],
  [
    'Gemfile',
    "gem 'rails', '~> 8.0'\ngroup :development, :test do\n  gem 'rspec'\nend\ngem \"pg\"\n",
    ['uses gem:rails @1 ~> 8.0', 'uses gem:rspec @3 dev', 'uses gem:pg @5'],
  ],
  [
    'x.gemspec',
    "Gem::Specification.new do |s|\n  s.name = 'x'\n  s.add_dependency 'rack', '>= 2'\n  s.add_development_dependency 'rake'\nend\n",
    ['provides gem:x @2', 'uses gem:rack @3 >= 2', 'uses gem:rake @4 dev'],
  ],
  [
    'composer.json',
    '{\n"name": "Acme/App",\n"require": { "php": ">=8", "laravel/framework": "^11" },\n"require-dev": {\n"phpunit/phpunit": "*" }\n}',
    [
      'provides composer:acme/app @2',
      'uses composer:laravel/framework @3 ^11',
      'uses composer:phpunit/phpunit @5 * dev',
    ],
  ],
];

it.each(CASES)('reads %s', async (path, text, expected) => {
  expect(await describeFacts(manifests, path, text)).toEqual(expected);
});

it('gives nothing for malformed manifests', async () => {
  for (const path of ['package.json', 'pyproject.toml', 'Cargo.toml', 'pom.xml', 'composer.json']) {
    expect(await describeFacts(manifests, path, '{ "name": ["x", [')).toEqual([]);
  }
});
