// Passwords: which are accepted, and how they are stored.
import { Semaphore } from '@zonereeve/cooperate'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export const MIN_PASSWORD_CHARACTERS = 12
export const MAX_PASSWORD_CHARACTERS = 200
/** Fewer are a repeated pattern. */
const MIN_DISTINCT_CHARACTERS = 5

/** 32 MiB and about 0.1 s of one core. */
const COST = { N: 2 ** 15, r: 8, p: 1 }
const MAX_COST = { N: 2 ** 20, r: 16, p: 4 }
const SALT_OCTETS = 16
const HASH_OCTETS = 32
/** Work at the same time: each takes a core and memory. Others wait. */
const MAX_CONCURRENT = 2

const working = new Semaphore(MAX_CONCURRENT)

/** The same characters may be typed in several forms. */
const octetsOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'))

/** Why a password is not accepted; undefined if it is. */
export type PasswordProblem = 'too_short' | 'too_long' | 'common'

/** Checks a new password. Common ones are those that guessers try first, also with other case and digits at the end. */
export function passwordProblem(password: string, email: string): PasswordProblem | undefined {
  const length = [...password.normalize('NFKC')].length
  if (length < MIN_PASSWORD_CHARACTERS) return 'too_short'
  if (length > MAX_PASSWORD_CHARACTERS) return 'too_long'
  const plain = password.normalize('NFKC').toLowerCase()
  const word = plain.replace(/[\d\W_]+$/, '')
  const isPattern = new Set(plain).size < MIN_DISTINCT_CHARACTERS
  const isSequence = SEQUENCES.some((sequence) => sequence.includes(plain))
  const isOwn = plain === email.toLowerCase() || word === email.toLowerCase().split('@')[0]
  return isPattern || isSequence || isOwn || COMMON.has(word) || COMMON.has(plain) ? 'common' : undefined
}

const SEQUENCES = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn',
  'qazwsxedcrfvtgbyhnujm',
]

const COMMON: ReadonlySet<string> = new Set([
  'admin',
  'adminadmin',
  'administrator',
  'changeme',
  'changemeplease',
  'correcthorsebatterystaple',
  'correct horse battery staple',
  'dragondragon',
  'footballfootball',
  'iloveyou',
  'iloveyouiloveyou',
  'letmein',
  'letmeinletmein',
  'letmeinplease',
  'master',
  'monkeymonkey',
  'p@ssw0rd',
  'p@ssword',
  'passw0rd',
  'password',
  'passwordpassword',
  'passwort',
  'qwerty',
  'qwertyqwerty',
  'rootroot',
  'rootrootroot',
  'secretsecret',
  'superman',
  'supersecret',
  'thisismypassword',
  'trustno1trustno1',
  'welcome',
  'welcomewelcome',
  'zonereeve',
  'zonereevezonereeve',
])

/** @returns parameters, salt and hash, to be stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_OCTETS)
  const { N, r, p } = COST
  return [
    'scrypt',
    N,
    r,
    p,
    salt.toString('base64url'),
    (await derive(password, salt, COST)).toString('base64url'),
  ].join('$')
}

/**
 * Takes equally long if there is no stored hash or an unreadable one, so that the time does not show which accounts
 * exist.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const known = stored === undefined ? undefined : readHash(stored)
  const { cost, salt, expected } = known ?? DECOY
  const found = await derive(password, salt, cost)
  return timingSafeEqual(found, expected) && known !== undefined
}

const DECOY = { cost: COST, salt: Buffer.alloc(SALT_OCTETS), expected: Buffer.alloc(HASH_OCTETS) }

const HASH = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d)\$([\w-]{22})\$([\w-]{43})$/

/** Undefined if it is damaged; also for a cost that would block the machine. */
function readHash(stored: string): typeof DECOY | undefined {
  const [, N, r, p, salt = '', hash = ''] = HASH.exec(stored) ?? []
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const isPowerOfTwo = Number.isInteger(Math.log2(cost.N)) && cost.N > 1
  if (!isPowerOfTwo || cost.N > MAX_COST.N || cost.r > MAX_COST.r || cost.p > MAX_COST.p) return undefined
  if (cost.r < 1 || cost.p < 1) return undefined
  return { cost, salt: Buffer.from(salt, 'base64url'), expected: Buffer.from(hash, 'base64url') }
}

const derive = (password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> =>
  working.run(
    () =>
      new Promise((resolve, reject) => {
        const maxmem = 256 * cost.N * cost.r
        scrypt(octetsOf(password), salt, HASH_OCTETS, { ...cost, maxmem }, (error, key) => {
          if (error === null) resolve(key)
          else reject(error)
        })
      }),
  )
