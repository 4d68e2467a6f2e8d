// The jobs in examples/ci have the form that their services read, and use nothing that can be replaced under its name.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../examples', import.meta.url))
const read = (path: string): string => readFileSync(`${folder}/${path}`, 'utf8')

// Names: docs.github.com, "Workflow syntax for GitHub Actions".
const WORKFLOW = ['name', 'on', 'permissions', 'jobs', 'env', 'concurrency', 'defaults', 'run-name']
const JOB = [
  'name',
  'runs-on',
  'env',
  'steps',
  'needs',
  'if',
  'timeout-minutes',
  'permissions',
  'strategy',
  'services',
]
const STEP = [
  'id',
  'name',
  'if',
  'uses',
  'run',
  'with',
  'env',
  'shell',
  'working-directory',
  'timeout-minutes',
]
// Names: docs.gitlab.com, "CI/CD YAML syntax reference".
const GITLAB_JOB = [
  'image',
  'variables',
  'before_script',
  'script',
  'after_script',
  'artifacts',
  'stage',
  'rules',
  'needs',
]

type Members = Readonly<Record<string, unknown>>
const unknownIn = (value: Members, known: readonly string[]): string[] =>
  Object.keys(value).filter((name) => !known.includes(name))

describe('examples/ci/github-actions.yml', () => {
  const text = read('ci/github-actions.yml')
  const workflow = parse(text) as {
    on: unknown
    permissions: unknown
    jobs: Record<string, Members & { steps: Members[] }>
  }

  test('has the members that the service reads, and no more permissions than it needs', () => {
    expect([unknownIn(workflow, WORKFLOW), workflow.on, workflow.permissions]).toEqual([
      [],
      ['push', 'pull_request'],
      { contents: 'read' },
    ])
    for (const job of Object.values(workflow.jobs)) {
      expect([unknownIn(job, JOB), typeof job['runs-on']]).toEqual([[], 'string'])
      for (const step of job.steps) {
        expect(unknownIn(step, STEP)).toEqual([])
        expect(Object.keys(step).filter((name) => name === 'uses' || name === 'run')).toHaveLength(1)
      }
    }
  })

  test('pins each action by its commit, and names its version', () => {
    const uses = [...text.matchAll(/^ *- uses: (.*)$/gm)].map(([, used]) => used)
    expect(uses).not.toEqual([])
    for (const used of uses) expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })
})

test('examples/ci/gitlab-ci.yml has the members that the service reads', () => {
  const jobs = parse(read('ci/gitlab-ci.yml')) as Record<string, Members>
  expect(Object.keys(jobs)).toEqual(['test'])
  for (const job of Object.values(jobs)) {
    expect(unknownIn(job, GITLAB_JOB)).toEqual([])
    for (const name of ['before_script', 'script'])
      expect(job[name]).toEqual(expect.arrayContaining([expect.any(String)]))
    expect(job['image']).toMatch(/^[\w./-]+:[\w.-]+$/)
  }
})

test('examples/README.md names each example', () => {
  const named = [...read('README.md').matchAll(/\]\(((?:sdk|certbot|ci|octodns)\/[^)]*)\)/g)].map(
    ([, path]) => path ?? '',
  )
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) => `${entry.parentPath.slice(folder.length + 1)}/${entry.name}`)
  const uncovered = present.filter(
    (path) => !named.some((name) => path === name || (name.endsWith('/') && path.startsWith(name))),
  )
  expect(uncovered).toEqual([])
})
