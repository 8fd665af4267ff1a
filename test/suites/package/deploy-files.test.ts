/** The files to install and call the service with: their settings, ports, paths, time limits and commands are those of the program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadCommands } from '../../../src/commands/index.ts';
import { parseCommandLine } from '../../../src/commands/parse-command-line.ts';
import { readConfig } from '../../../src/config.ts';
import { defineOperation } from '../../../src/context.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { EXIT_CODES } from '../../../src/platform/core/errors/start-failure.ts';
import { SETTINGS } from '../../../src/settings/index.ts';
import { CHECKOUT } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { postPlan } from '../../helpers/rows/plans.ts';
import { startTestService, withKey } from '../../helpers/service/harness.ts';
import { connect } from '../../mcp/clients.ts';
import { callTool } from '../../mcp/tool-calls.ts';

afterAll(cleanUp);

const read = (file: string) => readFileSync(join(CHECKOUT, file), 'utf8');
const { files, version } = JSON.parse(read('package.json')) as { files: string[]; version: string };
const KUBERNETES = 'deploy/kubernetes';
/** Read by Node.js and git, not by the program. */
const OTHER_VARIABLES = ['HOME', 'NODE_ENV'];
/** After the requests in progress: closing, and stopping the embedded PostgreSQL. */
const [CLOSE_SECONDS, STOP_POSTGRES_SECONDS] = [10, 40];

const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const imageSettings = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) =>
    line!
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=', 2) as [string, string]),
  ),
);
const port = Number(imageSettings.PORT);
const imageUser = Number(/^USER (\d+):\1$/m.exec(dockerfile)![1]);

const compose = parse(
  read('compose.yaml')
    .replaceAll(/\$\{DOMAIN:\?[^}]*\}/g, 'review.example.com')
    .replaceAll(/\$\{POSTGRES_PASSWORD:\?[^}]*\}/g, 'password'),
);
const unit = read('deploy/countersign.service');
const unitSettings = Object.fromEntries(
  [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
);

const manifests = readdirSync(join(CHECKOUT, KUBERNETES)).flatMap((name) =>
  parseAllDocuments(read(join(KUBERNETES, name))).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  }),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const configMap = ofKind('ConfigMap')[0].data as Record<string, string>;
const secret = ofKind('Secret')[0].stringData as Record<string, string>;
const deployments = ofKind('Deployment').map((deployment) => {
  const pod = deployment.spec.template.spec;
  const container = pod.containers[0];
  const settings: Record<string, string> = { ...imageSettings, ...configMap };
  for (const { name, value, valueFrom } of container.env)
    settings[name] = value ?? secret[valueFrom.secretKeyRef.key];
  return { name: deployment.metadata.name as string, deployment, pod, container, settings };
});

describe('settings', () => {
  const places: [string, Record<string, string>][] = [
    ['Dockerfile', imageSettings],
    ['compose.yaml', { ...imageSettings, ...compose.services.countersign.environment }],
    ['deploy/countersign.service', unitSettings],
    ...deployments.map(({ name, settings }): [string, Record<string, string>] => [name, settings]),
  ];

  it.each(places)('of %s exist and are valid', (_file, settings) => {
    const known = [...Object.keys(SETTINGS), ...OTHER_VARIABLES];
    expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
    expect(readConfig(settings).dataDir).toBe(settings.DATA_DIR);
  });

  it('keep to the volumes, and name the secret file and the proxy', () => {
    expect(dockerfile).toContain(`VOLUME ${imageSettings.DATA_DIR}\n`);
    expect(compose.services.countersign.volumes).toEqual([`data:${imageSettings.DATA_DIR}`]);
    expect(unitSettings.DATA_DIR).toBe(`/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)![1]}`);
    expect(compose.services.countersign.environment.TRUSTED_PROXIES).toBe(
      compose.networks.proxy.ipam.config[0].subnet,
    );
    for (const { container, pod, settings } of deployments) {
      const pathOf = (volume: string) =>
        container.volumeMounts.find(({ name }: { name: string }) => name === volume).mountPath;
      expect(settings.DATA_DIR).toBe(`${pathOf('data')}/countersign`);
      const mounted = pod.volumes.find(({ name }: { name: string }) => name === 'secret').secret;
      expect(settings.SECRET_FILE).toBe(`${pathOf('secret')}/${mounted.items[0].path}`);
      expect(Object.keys(secret)).toContain(mounted.items[0].key);
    }
  });
});

describe('ports, probes and time limits', () => {
  it('are those of the image and the service', () => {
    expect(dockerfile).toContain(`EXPOSE ${port}\n`);
    expect(port).toBe(Number(SETTINGS.PORT.default));
    expect(dockerfile).toMatch(/HEALTHCHECK .*127\.0\.0\.1:\$\{process\.env\.PORT\}\/readyz/);
    expect(read('deploy/Caddyfile')).toContain(`reverse_proxy countersign:${port} `);
    for (const { container, settings } of deployments) {
      expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
      // Without the role `web`, nothing answers the probes.
      expect(readConfig(settings).roles).toContain('web');
      const { livenessProbe, readinessProbe, startupProbe } = container;
      expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
        { path: '/healthz', port: 'http' },
        { path: '/healthz', port: 'http' },
        { path: '/readyz', port: 'http' },
      ]);
    }
  });

  it('let a shutdown finish', () => {
    const closed = Number(SETTINGS.SHUTDOWN_TIMEOUT_SECONDS.default) + CLOSE_SECONDS;
    expect(Number.parseInt(compose.services.countersign.stop_grace_period, 10)).toBeGreaterThan(closed);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(closed + STOP_POSTGRES_SECONDS);
    for (const { container, pod } of deployments) {
      const pause = Number(container.lifecycle.preStop.exec.command[1]);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(closed + pause);
    }
  });

  it('restart the service only if that can help', () => {
    const codes = /^RestartPreventExitStatus=(.*)$/m.exec(unit)![1]!.split(' ').map(Number);
    const { configuration, database_newer, database_too_old, node_unusable, secret_unusable, usage } =
      EXIT_CODES;
    expect(codes).toEqual(
      [usage, configuration, database_too_old, database_newer, node_unusable, secret_unusable].map(
        ({ code }) => code,
      ),
    );
  });
});

describe('Kubernetes manifests', () => {
  it('run the image of this version as its user, several times, without privileges', () => {
    for (const { container, deployment, pod } of deployments) {
      expect(deployment.spec.replicas).toBeGreaterThan(1);
      expect(container.image.endsWith(`/countersign:${version}`), container.image).toBe(true);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: imageUser,
        fsGroup: imageUser,
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    const roles = deployments.map(({ name, settings }) => [name, readConfig(settings).roles]);
    expect(Object.fromEntries(roles)).toEqual({
      'countersign-web': ['web'],
      'countersign-worker': ['web', 'worker'],
    });
  });

  it('select the pods that they mean', () => {
    const selected = (selector: Record<string, string>) =>
      deployments
        .filter(({ deployment }) =>
          Object.entries(selector).every(
            ([label, value]) => deployment.spec.template.metadata.labels[label] === value,
          ),
        )
        .map(({ name }) => name);
    for (const { deployment, name } of deployments)
      expect(selected(deployment.spec.selector.matchLabels)).toEqual([name]);
    for (const { metadata, spec } of ofKind('PodDisruptionBudget'))
      expect(selected(spec.selector.matchLabels)).toEqual([metadata.name]);
    expect(selected(ofKind('Service')[0].spec.selector)).toEqual(['countersign-web']);
  });
});

describe('pipelines', () => {
  const ACTION = 'integrations/github-action';
  const action = parse(read(`${ACTION}/action.yml`));
  const script = read(`${ACTION}/run.sh`);
  const jobs = parse(read('integrations/gitlab-ci/countersign.yml')) as Record<
    string,
    { extends?: string; script?: string[]; after_script?: string[] }
  >;

  it('pass each input of the action to its script, and only as a variable', () => {
    const { env, run } = action.runs.steps[0];
    const passed = Object.values(env).map(
      (value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(String(value))![1],
    );
    expect(passed.sort()).toEqual(Object.keys(action.inputs).sort());
    const used = new Set(script.match(/INPUT_\w+/g));
    expect([...used].sort()).toEqual(
      Object.keys(env)
        .filter((name) => name.startsWith('INPUT_'))
        .sort(),
    );
    expect(run).toBe('"$GITHUB_ACTION_PATH/run.sh"');
    expect(statSync(join(CHECKOUT, ACTION, 'run.sh')).mode & 0o111).toBe(0o111);
  });

  const ofScript = [...script.matchAll(/^\s+(?:countersign|run_with_json) ([a-z].*?)(?: >.*)? \|\| code/gm)];
  const ofJobs = Object.values(jobs).flatMap((job) => [...(job.script ?? []), ...(job.after_script ?? [])]);
  const lines = [
    ...ofScript.map(([, words]) => words!),
    ...ofJobs.map((line) => line.replace(/^countersign /, '').replace(/ >.*/, '')),
  ];

  it('call commands with options that exist', async () => {
    const commands = await loadCommands();
    expect(lines).toHaveLength(11);
    for (const line of lines) {
      const words = line
        .replaceAll(/ ?"\$\{words\[@\]\}"/g, '')
        .replaceAll('"', '')
        .split(' ');
      expect(parseCommandLine(commands, words)).toMatchObject({ asked: 'command' });
    }
  });

  describe('the script of the action', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'source'));
    writeFileSync(
      join(folder, 'source', 'package.json'),
      JSON.stringify({ name: 'countersign', version: '9.9.9', bin: 'program.sh' }),
    );
    writeFileSync(join(folder, 'source', 'program.sh'), '#!/bin/sh\necho "ran $*"\n', { mode: 0o755 });
    execFileSync('npm', ['pack', './source'], { cwd: folder, stdio: 'pipe' });
    const archive = join(folder, 'countersign-9.9.9.tgz');
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
    const run = (inputs: Record<string, string>) => {
      const { HOME, PATH } = process.env;
      const env = Object.fromEntries(
        Object.keys(action.runs.steps[0].env).map((name) => [name, name === 'INPUT_COMMAND' ? 'review' : '']),
      );
      const places = { HOME, PATH, RUNNER_TEMP: folder, GITHUB_OUTPUT: join(folder, 'output') };
      const options = { cwd: folder, encoding: 'utf8', env: { ...places, ...env, ...inputs } } as const;
      return spawnSync(join(CHECKOUT, ACTION, 'run.sh'), [], options);
    };

    it('runs the package that is named, once its checksum was found to be right', () => {
      const wrong = {
        INPUT_PACKAGE: archive,
        INPUT_PACKAGE_SHA256: sha256.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      };
      expect(run(wrong)).toMatchObject({
        status: 2,
        stdout: expect.stringContaining('::error::The package does not have the checksum'),
      });
      expect(run({ INPUT_PACKAGE: archive })).toMatchObject({
        status: 2,
        stdout: expect.stringContaining('package-sha256'),
      });
      const right = { INPUT_PACKAGE: archive, INPUT_PACKAGE_SHA256: sha256, INPUT_BASE: 'main' };
      for (const use of [archive, 'https://reused.invalid/countersign.tgz'])
        expect(run({ ...right, INPUT_PACKAGE: use })).toMatchObject({
          status: 0,
          stdout: 'ran review --base=main\n',
        });
    });

    it('never looks for a package of that name elsewhere', () => {
      expect(run({})).toMatchObject({
        status: 2,
        stdout: expect.stringContaining('::error::There is no countersign command'),
      });
    });
  });

  it('extend jobs that exist', () => {
    for (const job of Object.values(jobs)) if (job.extends) expect(jobs).toHaveProperty([job.extends]);
  });
});

describe('the dashboard and the alerts', () => {
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const alerts = parse(read('deploy/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { description: string } }[] }[];
  };
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];

  it('use metrics and states that the service has', async () => {
    const metrics = createMetrics({
      pool: () => ({ total: 0, idle: 0, waiting: 0 }),
      searches: () => ({ running: 0, waiting: 0 }),
      waits: () => 0,
      freeBytes: async () => 5_000_000,
      jobs: async () => [{ name: 'deliver-webhook', waiting: 1, running: 0, failing: 0, waitedSeconds: 2 }],
    });
    metrics.observeRequest({ operation: 'get-plan', status: 200, waiting: false }, 0.1);
    const { text } = await metrics.render();
    const used = expressions.flatMap(
      (expression) => expression.match(/\b(countersign|nodejs|process)_\w+/g) ?? [],
    );
    expect(new Set(used).size).toBeGreaterThan(6);
    for (const name of used) expect(text).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    for (const [, name, state] of expressions.join('\n').matchAll(/(\w+)\{state="(\w+)"\}/g))
      expect(text).toMatch(new RegExp(`^${name}\\{.*state="${state}"\\}`, 'm'));
  });

  const ruleOf = (name: string) => alerts.groups[0]!.rules.find(({ alert }) => alert === name)!;

  it('CountersignSlow and the latency panel leave out what waits on purpose, and nothing else', async () => {
    const service = await startTestService();
    const { acme, request, url } = service;
    const latencyOf = (text: string, selector: string, count = 0) => {
      const labels = [...selector.matchAll(/(\w+)="(\w+)"/g)].map(([pair]) => pair);
      for (const line of text.matchAll(/^countersign_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm))
        if (labels.every((label) => line[1]!.split(',').includes(label))) count += Number(line[2]);
      return count;
    };
    const measured = async (selector: string) =>
      latencyOf((await request('GET', '/metrics')).body as string, selector);
    const client = await connect(url, { 'x-api-key': acme.member.key });
    const { body: plan } = await postPlan(service, acme.member);
    const selectors = expressions
      .filter((expression) => expression.includes('histogram_quantile'))
      .map((expression) => /_bucket(\{[^}]*\})/.exec(expression)![1]!);
    expect(selectors).toEqual(['{waiting="false"}', '{waiting="false"}']);

    const before = await measured('{waiting="false",operation="mcp"}');
    const waitsBefore = await measured('{waiting="true"}');
    await callTool(client, 'wait_for_review', { planId: plan.seriesId, timeoutSeconds: 1 });
    await (await client.listen({})).close();
    await expect.poll(() => measured('{waiting="true"}')).toBe(waitsBefore + 2);
    await callTool(client, 'get_plan', { planId: plan.seriesId });
    expect(await measured('{waiting="false",operation="mcp"}')).toBeGreaterThan(before);
  });

  it('CountersignErrors names the level that failed requests are logged with', async () => {
    const fail = defineOperation({
      name: 'fail',
      group: 'Test',
      summary: 'Fail',
      accepts: ['key'],
      role: 'viewer',
      problems: [],
      input: z.object({}),
      output: z.object({}),
      http: { method: 'GET', path: '/api/v2/test/fail', status: 200 },
      async run() {
        throw new Error('unexpected');
      },
    });
    const { acme, logLines, request } = await startTestService({ operations: [fail] });
    const { body, status } = await request('GET', '/api/v2/test/fail', { as: withKey(acme.member) });
    expect(status).toBe(500);
    const [, named] = /`([^`]+)`/.exec(ruleOf('CountersignErrors').annotations.description)!;
    expect(logLines.filter((line) => line.includes(body.requestId) && line.includes(named!))).toHaveLength(1);
  });
});

it('no file tells anybody to install a package of this name from a registry: nobody owns the name there', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: CHECKOUT, encoding: 'utf8' }).split('\0');
  const read = tracked.filter(
    (file) =>
      /\.(md|mdc|mjs|sh|ya?ml|tsx?|json|service|example)$|^Dockerfile$/.test(file) &&
      !/^(CHANGELOG\.md|package(-lock)?\.json)$|\.test\.ts$/.test(file),
  );
  const found = read.flatMap((file) =>
    [
      ...readFileSync(join(CHECKOUT, file), 'utf8').matchAll(
        /\b(npx|npm (i|install|exec|view))\b[^\n`]*?[ "']countersign(@|["'\s`]|$)/gm,
      ),
    ].map(([text]) => `${file}: ${text}`),
  );
  expect(found).toEqual(['src/commands/terminal/how-started.ts: npx countersign`']);
});

it('the package contains them', () => {
  expect(files).toEqual(expect.arrayContaining(['deploy', 'integrations']));
});
