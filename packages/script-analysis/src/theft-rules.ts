// Theft: scripts that send cookies, keystrokes, passwords or the rights of the visitor to another host.
import {
  carries,
  conclusive,
  describe,
  first,
  isToOther,
  matchOf,
  type Rule,
  suggestive,
} from './evidence.ts'
import type { Flow } from './observations.ts'
import { isMessenger } from './origins.ts'
import { isCopied } from './own-forms.ts'
import { TAINT } from './values.ts'

const HASHES = /subtle|\bsha-?(?:1|256|512)\b|\bhash|pwned/iu

/** A script that only steals cookies needs no more tree nodes. */
const MAX_NODES_OF_THIEF = 400

export const THEFT_RULES: readonly Rule[] = [
  {
    id: 'session-leaves',
    head: 'malware',
    description: 'sends all cookies and the browser storage of the site to another host',
    find: (evidence) =>
      !evidence.has('analytics-words')
        ? conclusive(
            first(
              evidence.leaving,
              (flow) =>
                carries(flow, TAINT.cookie) && carries(flow, TAINT.storage) && isToOther(evidence, flow),
              describe,
            ),
          )
        : null,
  },
  {
    id: 'cookie-leaves',
    head: 'malware',
    description: 'sends all cookies to another host',
    find: (evidence) => {
      if (evidence.has('analytics-words')) return null
      const sent = evidence.leaving.filter(
        (flow) =>
          carries(flow, TAINT.cookie) && isToOther(evidence, flow) && /[?&#/][\w-]*=?$/u.test(flow.address),
      )
      // A large program that uses a service to tell robots from people sends them too; an image request cannot return
      // the answer.
      const isSmall = evidence.analysis.shape.nodes < MAX_NODES_OF_THIEF
      return (
        conclusive(first(sent, ({ sink }) => isSmall || sink === 'image', describe)) ??
        suggestive(first(sent, () => true, describe))
      )
    },
  },
  {
    id: 'keys-leave',
    head: 'malware',
    description: 'sends keystrokes to another host',
    find: (evidence) => {
      const { observed, corpus } = evidence.analysis
      const keys = evidence.leaving.filter((flow) => carries(flow, TAINT.keys) && isToOther(evidence, flow))
      // Games send the pressed key, and terminals show the response.
      const isPlayed = (flow: Flow): boolean => flow.sink === 'socket' && observed.paths.has('.code')
      const isTalk = (flow: Flow): boolean =>
        flow.sink === 'socket' && (observed.events.has('message') || /\bonmessage\b/u.test(corpus))
      const isCounted = evidence.has('analytics-words')
      return (
        conclusive(first(keys, (flow) => !isPlayed(flow) && !isTalk(flow) && !isCounted, describe)) ??
        suggestive(first(keys, (flow) => !isPlayed(flow), describe))
      )
    },
  },
  {
    id: 'password-leaves',
    head: 'malware',
    description: 'sends passwords to another host in a way that no log-in uses',
    find: (evidence) => {
      if (!/passw|pwd/iu.test(evidence.analysis.corpus)) return null
      const passwords = evidence.leaving.filter(
        (flow) => carries(flow, TAINT.password) && isToOther(evidence, flow),
      )
      // A page that logs in by a request keeps its form from being sent; one that compares with known leaks hashes.
      const isHashed = HASHES.test(evidence.analysis.corpus)
      const isProven = (flow: Flow): boolean =>
        flow.sink === 'image' ||
        flow.sink === 'beacon' ||
        isMessenger(flow.address) ||
        (flow.sink !== 'navigation' && flow.sink !== 'action' && !isHashed && isCopied(evidence, flow))
      return (
        conclusive(first(passwords, isProven, describe)) ??
        // Chats and games log in over a socket, and code older than CORS by a script.
        suggestive(first(passwords, ({ sink }) => sink === 'socket' || sink === 'script', describe))
      )
    },
  },
  {
    id: 'administrator-made',
    head: 'malware',
    description: 'creates a user of the site with the rights of the current visitor',
    find: ({ analysis: { corpus } }) =>
      /user-new\.php/u.test(corpus)
        ? conclusive(matchOf(/_wpnonce_create-user|action["']?\s*[:=]\s*["']?createuser/u, corpus))
        : null,
  },
]
