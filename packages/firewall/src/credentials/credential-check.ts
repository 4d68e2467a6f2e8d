// Finds the user name and password of a sign-in in a request, and whether they are known from leaks.
import {
  asciiLower,
  type Bytes,
  compileValueExpression,
  type Condition,
  type CredentialFacts,
  type EvaluationContext,
  requestContext,
  type RequestFacts,
  type Scheme,
} from '@zonereeve/expr'
import { REQUEST_SCHEME } from '../expression.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'
import { leakedPasswords } from './leaked-passwords.ts'

/** The member of a rule, as sent: value expressions. */
export interface ExposedCredentialCheck {
  readonly username_expression: string
  readonly password_expression: string
}

/** The settings of a zone. */
export interface CredentialSettings {
  readonly isEnabled: boolean
  /** Where an application sends them if not under a usual name: value expressions of the filter language. */
  readonly locations: readonly CredentialLocation[]
}

export interface CredentialLocation {
  readonly id: string
  readonly username: string
  readonly password: string
}

type Location = (context: EvaluationContext) => Credentials

interface Credentials {
  readonly username: Bytes
  readonly password: Bytes
}

/** Settings whose expressions are compiled. */
export interface CompiledCredentials {
  readonly locations: readonly Location[]
}

/** Names of fields in forms and JSON, in lower case, as common applications and frameworks have them. */
const PASSWORD_NAMES = [
  'password',
  'passwd',
  'pass',
  'pwd',
  'passphrase',
  'user_password',
  'userpassword',
  'user_pass',
  'login_password',
  'loginpassword',
  'j_password',
  'os_password',
  'user[password]',
  'session[password]',
  'login[password]',
  'data[user][password]',
] as const
const USERNAME_NAMES = [
  'username',
  'user',
  'email',
  'login',
  'log',
  'user_login',
  'user_name',
  'user_email',
  'userid',
  'loginname',
  'identifier',
  'account',
  'mail',
  'name',
  'j_username',
  'os_username',
  'user[email]',
  'user[login]',
  'user[username]',
  'session[email]',
  'session[username_or_email]',
  'login[username]',
  'data[user][username]',
] as const

/** @throws ExprError for an expression that cannot be compiled. */
export function compileCredentials({
  isEnabled,
  locations,
}: CredentialSettings): CompiledCredentials | undefined {
  if (!isEnabled) return undefined
  return {
    locations: locations.map(({ username, password }) => compileLocation(username, password, REQUEST_SCHEME)),
  }
}

function compileLocation(username: string, password: string, scheme: Scheme): Location {
  const [readUsername, readPassword] = [compileText(username, scheme), compileText(password, scheme)]
  return (context) => ({ username: readUsername(context), password: readPassword(context) })
}

function compileText(source: string, scheme: Scheme): (context: EvaluationContext) => Bytes {
  if (source === '') return () => ''
  const read = compileValueExpression(source, scheme)
  return (context) => {
    const value = read(context)
    return typeof value === 'string' ? value : ''
  }
}

/** Adds the result of the check to the facts of a request; it is made when a rule asks for it. */
export function withCredentials(
  request: InspectedRequest,
  { locations }: CompiledCredentials,
): InspectedRequest {
  let found: CredentialFacts | undefined
  const facts: RequestFacts = {
    ...request.facts,
    credentials: () => (found ??= checkCredentials(request, locations)),
  }
  return { ...request, facts }
}

function checkCredentials(request: InspectedRequest, locations: readonly Location[]): CredentialFacts {
  const context = requestContext(REQUEST_SCHEME, request.facts)
  const all = [
    { username: firstOf(request, USERNAME_NAMES), password: firstOf(request, PASSWORD_NAMES) },
    ...locations.map((read) => read(context)),
  ].filter(({ password }) => password !== '')
  return {
    areFound: all.length > 0,
    isPasswordLeaked: all.some(({ password }) => isLeaked(password)),
    isPairLeaked: all.some((credentials) => isPairLeaked(credentials)),
    areSimilar: all.some(areSimilar),
  }
}

/** The first value with one of the names in the body: a query has no password. */
function firstOf(request: InspectedRequest, names: readonly string[]): Bytes {
  for (const name of names)
    for (const { field, text } of request.stringsOf(`arg:${name}`))
      if (field.startsWith('http.request.body.') && text !== '') return text
  return ''
}

const isLeaked = (text: Bytes): boolean => leakedPasswords()?.isLeaked(text) === true

/** Hashed as `username:password`, the user name in lower case. */
const isPairLeaked = ({ username, password }: Credentials): boolean =>
  username !== '' && isLeaked(`${asciiLower(username)}:${password}`)

/** Equal regardless of case, or the password is the part of an address before the at sign. */
function areSimilar({ username, password }: Credentials): boolean {
  const [name, word] = [asciiLower(username), asciiLower(password)]
  return name !== '' && (name === word || name.startsWith(`${word}@`))
}

/**
 * The condition of a rule with `exposed_credential_check`: the password, or the pair, is known from leaks.
 * @throws ExprError for an expression that cannot be compiled.
 */
export function compileExposedCheck(
  { username_expression: username, password_expression: password }: ExposedCredentialCheck,
  scheme: Scheme,
): Condition {
  const read = compileLocation(username, password, scheme)
  return (context) => {
    const credentials = read(context)
    return credentials.password !== '' && (isLeaked(credentials.password) || isPairLeaked(credentials))
  }
}
