// Visitors who have signed in by a link.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import type { Api } from '../browsers/api.ts'
import type { Program } from '../program.ts'
import { openVisitor, type View, type Visitor } from './visitor.ts'

const WIDE: View = { width: 1440, height: 900, theme: 'light' }

interface Site {
  readonly program: Pick<Program, 'http'>
  readonly api: Pick<Api, 'post'>
  /** Path of the sign-in screen with a fresh link behind `#`. */
  readonly signInPath: () => Promise<string>
}

export async function signIn(browser: Browser, site: Site, view: View): Promise<Visitor> {
  return signInAt(browser, site.program.http, await site.signInPath(), view)
}

/** @param path Of the sign-in screen, with a fresh link. */
export async function signInAt(browser: Browser, http: string, path: string, view = WIDE): Promise<Visitor> {
  const visitor = await openVisitor(browser, http, view)
  await visitor.page.goto(path)
  await visitor.page.waitForURL('**/zones')
  return visitor
}

/** Path of the sign-in screen with a fresh link behind `#`. @param folder Of the program's database. */
export async function linkPath(launcher: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(launcher, ['admin', 'link', '--data', folder])
  const { pathname, hash } = new URL(stdout.trim())
  return `${pathname}${hash}`
}

interface Invitation {
  readonly email: string
  readonly role?: string
  readonly zone_roles?: readonly { readonly zone_id: string | undefined; readonly role: string }[]
}

/** A new user, by the link of the invitation. */
export async function signInInvited(
  browser: Browser,
  { program, api }: Pick<Site, 'program' | 'api'>,
  invitation: Invitation,
  view = WIDE,
): Promise<Visitor> {
  const { link } = await api.post<{ link: string }>('/zonereeve/users', invitation)
  return signInAt(browser, program.http, `/sign-in#link=${link}`, view)
}
