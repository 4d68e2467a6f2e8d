// npm run release: builds everything that can be installed into release/, checks that the folder starts without Node on
// the PATH, and prints sizes and times.
//   --node FILE                   the Node binary to include; default: the one that runs this
//   --compression xz|gzip|none    of the Debian package; default: xz; none also makes the archive quickly
//   --twice                       build everything twice, and fail if any file differs
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isOnPath, run } from './process.ts'
import { debianArchitecture, writeDebianPackage, type Compression } from './release/debian-package.ts'
import { PLATFORM, releasedThirdParties, releaseVersion, writeReleaseFolder } from './release/folder.ts'
import { billOfMaterials, formatLicenses } from './release/third-parties.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'release')
const COMPRESSIONS: readonly Compression[] = ['xz', 'gzip', 'none']
const START_LIMIT_MS = 60_000
const MEBIBYTE = 1_048_576

const { values: options } = parseArgs({
  options: {
    node: { type: 'string' },
    compression: { type: 'string', default: 'xz' },
    twice: { type: 'boolean' },
  },
})

/** A second build must give the same files. @throws Error naming those that differ. */
async function main(): Promise<void> {
  process.umask(0o022) // modes are in the packages
  process.env['SOURCE_DATE_EPOCH'] ??= await commitTime()
  const first = await writeRelease()
  if (options.twice !== true) return
  const second = await writeRelease()
  const different = second.filter((line) => !first.includes(line))
  if (different.length > 0) throw new Error(`the second build differs:\n${different.join('')}`)
  console.log('the second build gave the same files')
}

/** Seconds since the epoch, for the times of all files: tar and dpkg-deb read it. */
async function commitTime(): Promise<string> {
  const { ok, output } = await run('git', ['log', '-1', '--format=%ct'], { cwd: root })
  if (!ok) throw new Error(`SOURCE_DATE_EPOCH is not set, and there is no commit\n${output}`)
  return output.trim()
}

/** @returns the lines of SHA256SUMS. */
async function writeRelease(): Promise<readonly string[]> {
  const compression = COMPRESSIONS.find((name) => name === options.compression)
  if (compression === undefined) throw new Error(`--compression must be one of ${COMPRESSIONS.join(', ')}`)
  const version = releaseVersion()
  const name = `zonereeve-${version}-${PLATFORM}`
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  // Packing builds the program.
  await succeed('npm', ['pack', '--workspace', 'zonereeve', '--pack-destination', target])
  const folder = join(target, name)
  await writeReleaseFolder(folder, options.node ?? process.execPath)
  console.log(`${name} is ready ${(await startMillis(folder)).toFixed(0)} ms after its start`)
  const parties = await releasedThirdParties()
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), formatLicenses(parties))
  // The version of the Node that is included, which may be another than the running one.
  const { output: nodeVersion } = await run(join(folder, 'lib/node'), ['--version'])
  writeFileSync(
    join(target, `zonereeve-${version}.cdx.json`),
    billOfMaterials(version, nodeVersion.trim().slice(1), parties),
  )
  for (const document of ['LICENSE', 'README.md']) copyFileSync(join(root, document), join(folder, document))
  const gzip = ['-I', compression === 'none' ? 'gzip -n -1' : 'gzip -n -9', '-cf', `${folder}.tar.gz`]
  const same = ['--sort=name', `--mtime=@${process.env['SOURCE_DATE_EPOCH']}`, '--mode=u+rw,go=rX']
  await succeed('tar', ['--owner=0', '--group=0', '--numeric-owner', ...same, '-C', target, ...gzip, name])
  if (isOnPath('dpkg-deb')) {
    const file = join(target, `zonereeve_${version}_${debianArchitecture()}.deb`)
    await writeDebianPackage({ version, folder, target: file, compression })
  } else console.log('no Debian package: dpkg-deb is not installed (apt-get install dpkg)')
  rmSync(folder, { recursive: true })
  return writeChecksums()
}

async function succeed(command: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await run(command, args, { cwd: root })
  if (!ok) throw new Error(`${command} failed\n${output}`)
}

/** Until the demo's ready line, with an empty environment. @throws Error if the folder does not start. */
async function startMillis(folder: string): Promise<number> {
  const began = performance.now()
  const args = ['demo', '--http', '127.0.0.1:0', '--dns', '127.0.0.1:0']
  const child = spawn(join(folder, 'bin/zonereeve'), args, {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: START_LIMIT_MS,
  })
  let output = ''
  const ready = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`the release does not start\n${output}`)))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (/^ready /m.test(output)) resolve(performance.now() - began)
    })
  })
  try {
    return await ready
  } finally {
    child.kill('SIGTERM')
  }
}

async function writeChecksums(): Promise<readonly string[]> {
  const lines: string[] = []
  for (const file of readdirSync(target).toSorted()) {
    const path = join(target, file)
    const digest = createHash('sha256')
    await pipeline(createReadStream(path), digest)
    lines.push(`${digest.digest('hex')}  ${file}\n`)
    console.log(`release/${file}  ${(statSync(path).size / MEBIBYTE).toFixed(1)} MiB`)
  }
  writeFileSync(join(target, 'SHA256SUMS'), lines.join(''))
  return lines
}

await main()
