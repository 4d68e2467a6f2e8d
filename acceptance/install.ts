// Installs what `npm run release` builds into empty roots, starts it there as its own user on ports 53 and 443 in a
// network namespace, and judges the life of each (install-life.ts), and that of the npm package with the Node of this
// machine. The Debian package is also removed and purged.
// Options: --release DIR (default: build one), --program LAUNCHER of the installed npm package (default: pack and install
// it). --inside FOLDER is for its own use.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { run } from '../scripts/process.ts'
import { releaseVersion } from '../scripts/release/folder.ts'
import { missingOf } from '../scripts/requirements.ts'
import { endWithin } from './child-end.ts'
import { fillRoot } from './empty-root.ts'
import { type Artifact, judgeLife, type Running } from './install-life.ts'
import { ADMIN_TOKEN, installPackedProgram, temporaryFolder } from './program.ts'
import { createReport } from './report.ts'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))
const VERSIONS = ['older', 'current'] as const
const READY_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 20_000
/** In the package, what an older version had. */
const OLDER_VERSION = '0.0.1'

const { values: options } = parseArgs({
  options: { inside: { type: 'string' }, release: { type: 'string' }, program: { type: 'string' } },
})
const report = createReport()

/** Builds the release, and runs this file again in its own namespaces. */
async function enter(): Promise<number> {
  const missing = missingOf(['private-network', 'private-mounts', 'dig', 'openssl', 'systemd-analyze'])
  if (missing !== undefined) {
    report.skip('installing the release', missing.reason, missing.required)
    console.log(`0 passed, ${missing.required ? 1 : 0} failed, ${missing.required ? 0 : 1} skipped`)
    return missing.required ? 1 : 0
  }
  const release = options.release ?? (await buildRelease())
  const file = fileURLToPath(import.meta.url)
  const folder = temporaryFolder('install')
  const program = options.program ?? (await installPackedProgram(temporaryFolder('packed')))
  const given = ['--inside', folder, '--release', release, '--program', program]
  const inside = [process.execPath, ...process.execArgv, file, ...given]
  const script = 'ip link set lo up && exec "$@"'
  const unshare = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...inside]
  try {
    const child = spawn('unshare', unshare, { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    // Outside of the namespace, nothing is mounted below it.
    rmSync(folder, { recursive: true, force: true })
  }
}

async function buildRelease(): Promise<string> {
  const finished = await run(
    'npm',
    ['run', '--silent', 'release', '--', '--compression', 'none', '--twice'],
    {
      cwd: projectRoot,
    },
  )
  if (!finished.ok) throw new Error(finished.output)
  console.log(finished.output.trimEnd())
  return join(projectRoot, 'release')
}

async function judge(release: string, program: string, folder: string): Promise<number> {
  await judgeUnit()
  await judgePackage(release, join(folder, 'debian'))
  await judgeContainer(release, join(folder, 'container'))
  await judgeArchive(release, join(folder, 'archive'))
  await judgeNpmPackage(join(dirname(program), '..'), join(folder, 'npm'))
  return report.close()
}

async function judgeUnit(): Promise<void> {
  await report.check('the unit is hardened: at most 3.0 on the scale of systemd-analyze security', () => {
    const unit = join(projectRoot, 'deploy/systemd/zonereeve.service')
    const args = ['security', '--offline=true', '--threshold=30', '--no-pager', unit]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    equal(status, 0, `${stdout}${stderr}`)
  })
}

/** Installed, upgraded with data, removed, purged. */
async function judgePackage(release: string, root: string): Promise<void> {
  prepareRoot(root)
  const current = `${releaseVersion()}`
  const file = packageIn(release)
  cpSync(file, join(root, 'tmp/current.deb'))
  writeOlderPackage(join(root, 'tmp'), OLDER_VERSION)
  await report.check('the package installs without Node, and says how to sign in', () => {
    equal(existsSync(join(root, 'usr/bin/node')), false)
    match(dpkg(root, '--install', '/tmp/older.deb'), /runuser -u zonereeve -- zonereeve admin link/)
    equal(inRoot(root, ['stat', '-c', '%U %a', '/var/lib/zonereeve']), 'zonereeve 700\n')
    match(inRoot(root, ['zonereeve', '--version']), /^\d+\.\d+\.\d+\n$/)
    requireShellFiles(root)
  })
  writeSettings(root)
  const artifact: Artifact = {
    name: 'the package',
    root,
    data: '/var/lib/zonereeve',
    capabilities: '0000000000000400',
    environment: {},
    start: () => startAsService(root),
    install(version) {
      dpkg(root, '--install', `/tmp/${version}.deb`)
      const installed = version === 'current' ? current : OLDER_VERSION
      match(inRoot(root, ['dpkg-query', '-W', 'zonereeve']), new RegExp(`\t${installed}\n`))
    },
  }
  await judgeLife(artifact, report)
  await report.check('the sign-in link that the installation names', () => {
    match(
      inRoot(root, ['runuser', '-u', 'zonereeve', '--', 'zonereeve', 'admin', 'link']),
      /^https:\/\/ns1\.example\.com\/\S+\n$/,
    )
  })
  await judgeRemoval(root)
}

function requireShellFiles(root: string): void {
  const completion = 'usr/share/bash-completion/completions/zonereeve'
  match(readFileSync(join(root, completion), 'utf8'), /complete -o default -F _zonereeve zonereeve/)
  const manual = gunzipSync(readFileSync(join(root, 'usr/share/man/man1/zonereeve.1.gz'))).toString()
  match(manual, /^\.TH ZONEREEVE 1 /)
}

async function judgeRemoval(root: string): Promise<void> {
  await report.check(
    'removal keeps data and configuration; KEEP survives a purge; purge deletes both',
    () => {
      dpkg(root, '--remove', 'zonereeve')
      equal(existsSync(join(root, 'usr/bin/zonereeve')), false)
      ok(existsSync(join(root, 'var/lib/zonereeve/zonereeve.db')))
      ok(existsSync(join(root, 'etc/zonereeve/zonereeve.json')))
      writeFileSync(join(root, 'var/lib/zonereeve/KEEP'), '')
      inRoot(root, ['sh', '/var/lib/dpkg/info/zonereeve.postrm', 'purge'])
      ok(existsSync(join(root, 'var/lib/zonereeve/zonereeve.db')))
      rmSync(join(root, 'var/lib/zonereeve/KEEP'))
      dpkg(root, '--purge', 'zonereeve')
      const removed = ['var/lib/zonereeve', 'etc/zonereeve/zonereeve.json', 'usr/lib/zonereeve']
      deepEqual(
        removed.filter((path) => existsSync(join(root, path))),
        [],
      )
      // The operator's own files stay.
      ok(existsSync(join(root, 'etc/zonereeve/key.pem')))
    },
  )
}

/** Follows the Containerfile with a chroot: there may be no builder of containers. */
async function judgeContainer(release: string, root: string): Promise<void> {
  prepareRoot(root)
  const environment: Record<string, string> = {}
  let user = 'root'
  const commands: Record<string, readonly string[]> = {}
  await report.check('the steps of the Containerfile', () => {
    const text = readFileSync(join(projectRoot, 'deploy/Containerfile'), 'utf8')
    const steps = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    ok(steps[0]?.startsWith('FROM '))
    for (const step of steps.slice(1)) {
      const [, name = '', rest = ''] = /^(\w+) (.*)$/.exec(step) ?? []
      if (name === 'COPY') cpSync(packageIn(release), join(root, rest.split(' ').at(-1) ?? ''))
      else if (name === 'RUN') inRoot(root, ['sh', '-c', rest])
      else if (name === 'ENV')
        for (const pair of rest.split(' ')) environment[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? ''
      else if (name === 'USER') user = rest
      else if (name === 'ENTRYPOINT' || name === 'CMD') commands[name] = JSON.parse(rest) as string[]
      else ok(['EXPOSE', 'VOLUME', 'HEALTHCHECK'].includes(name), step)
    }
    equal(user, 'zonereeve')
  })
  const command = [...(commands['ENTRYPOINT'] ?? []), ...(commands['CMD'] ?? [])] // as in the file
  await report.check(
    'the container runs without capabilities on a root that is read-only, but for its volume',
    async () => {
      const volume = join(root, 'var/lib/zonereeve')
      execFileSync('mount', ['--bind', volume, volume])
      writeSettings(root)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root, 'tmp')])
      execFileSync('mount', ['-o', 'remount,bind,ro', root])
      const program = await start(root, asUser(user, 'none', command), environment)
      await program.stop()
      match(program.output(), /^ready http=http:\/\/0\.0\.0\.0:8080 dns=0\.0\.0\.0:5353/m)
    },
  )
  // A container's network lets every user listen on low ports; here, this namespace is it.
  const lowPorts = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
  const before = readFileSync(lowPorts, 'utf8')
  writeFileSync(lowPorts, '0')
  const given = { ...environment, ...environmentOf(SETTINGS), ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN }
  await judgeLife(
    {
      name: 'the container',
      root,
      data: '/var/lib/zonereeve',
      capabilities: '0000000000000000',
      environment: given,
      start: () => start(root, asUser(user, 'none', command), given),
      // An image is never changed: the volume is what an upgrade keeps. The program is the same one in both.
      install: () => undefined,
    },
    report,
  )
  writeFileSync(lowPorts, before)
}

/** The archive, unpacked somewhere, by a user who is not root. */
async function judgeArchive(release: string, root: string): Promise<void> {
  prepareRoot(root)
  const archive = readdirSync(release).find((name) => name.endsWith('.tar.gz'))
  await report.check('the archive runs from any folder, reached by a link, without Node', async () => {
    for (const version of VERSIONS) {
      const folder = join(root, 'opt', version)
      mkdirSync(folder, { recursive: true })
      execFileSync('tar', ['-C', folder, '--strip-components=1', '-xzf', join(release, archive ?? '')]) // fails without one
    }
    equal(existsSync(join(root, 'usr/bin/node')), false)
    linkProgram(root, '../../opt/older/bin/zonereeve')
    inRoot(root, ['useradd', '--system', '--user-group', 'zonereeve'])
    const program = await start(root, asUser('zonereeve', 'none', ['zonereeve', 'demo']), {})
    await program.stop()
    match(program.output(), /^ready /m)
  })
  await judgeLife(
    folderArtifact('the archive', root, (version) => `../../opt/${version}/bin/zonereeve`),
    report,
  )
}

/** As `npm install` has left it. The root has a Node, but no npm, and no registry can be reached. */
async function judgeNpmPackage(modules: string, root: string): Promise<void> {
  prepareRoot(root)
  const launcher = (version: string): string => `../../opt/${version}/node_modules/.bin/zonereeve`
  await report.check('the npm package runs with the Node that is there', () => {
    cpSync(process.execPath, join(root, 'usr/bin/node'))
    for (const version of VERSIONS)
      cpSync(modules, join(root, 'opt', version, 'node_modules'), { recursive: true, verbatimSymlinks: true })
    linkProgram(root, launcher('older'))
    inRoot(root, ['useradd', '--system', '--user-group', 'zonereeve'])
    equal(inRoot(root, ['zonereeve', '--version']), `${releaseVersion()}\n`)
  })
  await judgeLife(folderArtifact('the npm package', root, launcher), report)
}

/** A program that is a folder: an upgrade puts another one behind the link. */
function folderArtifact(
  name: string,
  root: string,
  programOf: (version: 'older' | 'current') => string,
): Artifact {
  for (const folder of ['etc/zonereeve', 'var/lib/zonereeve'])
    mkdirSync(join(root, folder), { recursive: true })
  inRoot(root, ['chown', 'zonereeve:zonereeve', '/var/lib/zonereeve'])
  inRoot(root, ['chmod', '0700', '/var/lib/zonereeve'])
  writeSettings(root)
  const environment = { ZONEREEVE_CONFIG: '/etc/zonereeve/zonereeve.json' }
  return {
    name,
    root,
    data: '/var/lib/zonereeve',
    capabilities: '0000000000000400',
    environment,
    start: () =>
      start(root, asUser('zonereeve', 'net_bind_service', ['zonereeve', 'serve']), {
        ...environment,
        ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN,
      }),
    install: (version) => linkProgram(root, programOf(version)),
  }
}

function linkProgram(root: string, target: string): void {
  execFileSync('ln', ['-sfn', target, join(root, 'usr/bin/zonereeve')])
}

function prepareRoot(root: string): void {
  mkdirSync(root)
  fillRoot(root)
  execFileSync('mount', ['--bind', root, root]) // so that it can be made read-only
  execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
}

const packageIn = (release: string): string => {
  const file = readdirSync(release).find((name) => name.endsWith('.deb'))
  if (file === undefined) throw new Error(`no Debian package in ${release}`)
  return join(release, file)
}

/** The same package under a lower version: what matters here is what dpkg does to files. */
function writeOlderPackage(folder: string, version: string): void {
  const tree = join(folder, 'older')
  execFileSync('dpkg-deb', ['--raw-extract', join(folder, 'current.deb'), tree])
  const control = join(tree, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
  const settings = join(tree, 'etc/zonereeve/zonereeve.json')
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('5353', '5354'))
  execFileSync('dpkg-deb', ['-Znone', '--build', tree, join(folder, 'older.deb')])
  rmSync(tree, { recursive: true })
}

const SETTINGS = {
  data: '/var/lib/zonereeve',
  http: '127.0.0.1:8080',
  dns: '127.0.0.1:53',
  'dns-tls': 'off',
  https: '127.0.0.1:443',
  'public-url': 'https://ns1.example.com',
  'dns-https': '127.0.0.1:8443',
  'tls-certificate': '/etc/zonereeve/cert.pem',
  'tls-key': '/etc/zonereeve/key.pem',
}

const environmentOf = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `ZONEREEVE_${name.toUpperCase().replaceAll('-', '_')}`,
      value,
    ]),
  )

function writeSettings(root: string): void {
  const files = ['-keyout', join(root, 'etc/zonereeve/key.pem'), '-out', join(root, 'etc/zonereeve/cert.pem')]
  const subject = ['-subj', '/CN=ns1.example.com', '-addext', 'subjectAltName=DNS:ns1.example.com']
  const kind = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...kind, ...subject, ...files], { stdio: 'ignore' })
  inRoot(root, ['chown', 'zonereeve', '/etc/zonereeve/key.pem'])
  inRoot(root, ['chmod', '1777', '/tmp'])
  writeFileSync(join(root, 'etc/zonereeve/zonereeve.json'), JSON.stringify(SETTINGS))
}

/** Runs a command in the root as root. @returns its output. @throws with the output if it fails. */
function inRoot(root: string, command: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('chroot', [root, ...command], {
    encoding: 'utf8',
    env: CHROOT_ENVIRONMENT,
  })
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

const CHROOT_ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/** No question may be asked: a changed configuration file stays. */
const dpkg = (root: string, ...args: readonly string[]): string =>
  inRoot(root, ['dpkg', '--force-confold', ...args])

/** What systemd does with User=, AmbientCapabilities=, CapabilityBoundingSet= and NoNewPrivileges= of the unit. */
function asUser(user: string, capability: string, command: readonly string[]): string[] {
  const bounding = capability === 'none' ? '-all' : `-all,+${capability}`
  const ambient = capability === 'none' ? [] : ['--inh-caps', bounding, '--ambient-caps', bounding]
  const identity = ['--reuid', user, '--regid', user, '--init-groups']
  return ['setpriv', ...identity, ...ambient, '--bounding-set', bounding, '--no-new-privs', ...command]
}

function startAsService(root: string): Promise<Running> {
  const unit = readFileSync(join(root, 'usr/lib/systemd/system/zonereeve.service'), 'utf8')
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const capability = value('AmbientCapabilities').toLowerCase().replace('cap_', '')
  const command = asUser(value('User'), capability, value('ExecStart').split(' '))
  return start(root, command, { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN })
}

/** Until the ready line. */
async function start(
  root: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Running> {
  const child: ChildProcess = spawn('chroot', [root, ...command], {
    env: { ...CHROOT_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ready line\n${output}`)), READY_LIMIT_MS)
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`ended with ${code}\n${output}`)))
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (!/^ready /m.test(output)) return
        clearTimeout(timer)
        resolve()
      })
  })
  await ready
  return {
    pid: child.pid ?? 0,
    output: () => output,
    stop: async () => {
      await endWithin(child, STOP_LIMIT_MS)
      equal(child.exitCode, 0, output)
    },
  }
}

process.exitCode =
  options.inside === undefined
    ? await enter()
    : await judge(options.release ?? '', options.program ?? '', options.inside)
