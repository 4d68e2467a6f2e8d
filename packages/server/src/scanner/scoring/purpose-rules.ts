// Marks that stand together only where a script is made for harm.
import { carries, describe, first, isTo, KNOWN_FRAMES, matchOf, type Rule } from './evidence.ts'
import { hostOf, originOf } from './origins.ts'
import { TAINT } from './values.ts'

/** Rules about what a whole script is for, told by several marks together. */
export const PURPOSE_RULES: readonly Rule[] = [
  {
    id: 'miner-job',
    head: 'cryptomining',
    says: 'tries numbers for the jobs of a pool',
    find: ({ has, nodes, analysis: { corpus } }) =>
      nodes < 20_000 &&
      (has('socket') || has('worker') || has('wasm') || corpus.includes('onmessage')) &&
      /\bnonce\b/iu.test(corpus) &&
      /\btarget\b|difficulty/iu.test(corpus)
        ? matchOf(/\bjob_id\b|stratum\+?|mining\.(?:subscribe|notify|submit)|hashes_?per_?second/iu, corpus)
        : null,
  },
  {
    id: 'miner-wallet',
    head: 'cryptomining',
    says: 'names a wallet to mine for, and how hard',
    find: ({ nodes, analysis: { corpus } }) =>
      nodes < 20_000 && /throttle|threads|hash(?:es|rate)|startMining|stratum/iu.test(corpus)
        ? matchOf(/\b4[0-9A-Za-z]{94}\b/u, corpus)
        : null,
  },
  {
    id: 'payment-fields-leave',
    head: 'magecart',
    says: 'sends payment fields to another host by a way without an answer',
    find: (evidence) =>
      evidence.nodes < 2500 && (evidence.has('card-words') || evidence.has('card-pattern'))
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.field | TAINT.card) &&
              ['image', 'script', 'socket', 'beacon'].includes(flow.sink) &&
              isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'encoded-fields-leave',
    head: 'magecart',
    says: 'encodes fields of a form and sends them to another host inside an address',
    find: (evidence) =>
      evidence.nodes < 2500 && evidence.has('base64-encode') && !evidence.has('analytics-words')
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.field | TAINT.card) &&
              ['image', 'script'].includes(flow.sink) &&
              isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'patched-form',
    head: 'magecart',
    says: 'changes how forms are submitted and sends their fields to another host',
    find: (evidence) =>
      evidence.nodes < 1500 &&
      /HTMLFormElement\.prototype\.(?:submit|requestSubmit)\s*=/u.test(evidence.analysis.corpus)
        ? first(evidence.leaving, (flow) => isTo(evidence, flow, 'other'), describe)
        : null,
  },
  {
    id: 'wallet-words-leave',
    head: 'malware',
    says: 'asks for the words of a wallet and sends them to another host',
    find: (evidence) =>
      evidence.nodes < 3000 && /seed[ -]?phrase|mnemonic|recovery phrase/iu.test(evidence.analysis.corpus)
        ? first(
            evidence.leaving,
            (flow) => carries(flow, TAINT.field) && isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'administrator-made',
    head: 'malware',
    says: 'makes a user of the site with the rights of whoever looks at the page',
    find: ({ nodes, analysis: { corpus } }) =>
      nodes < 3000 && /user-new\.php/u.test(corpus)
        ? matchOf(/_wpnonce_create-user|action["']?\s*[:=]\s*["']?createuser/u, corpus)
        : null,
  },
  {
    id: 'code-of-numbers',
    head: 'malware',
    says: 'runs code written as numbers that loads, frames or leads elsewhere',
    find: ({ nodes, analysis: { corpus, observed } }) =>
      nodes < 6000 &&
      observed.layers.some(({ text, by }) =>
        by === 'markup' || by === 'write'
          ? false
          : /<iframe|<script|createElement\(\s*["'](?:script|iframe)|location\s*(?:\.\w+)?\s*[=(]/iu.test(
              text,
            ),
      )
        ? matchOf(
            /(?:eval|execScript)\W{1,3}String\s*\.\s*fromCharCode\s*\(\s*(?:(?:0x)?[\da-f]+\s*,\s*){20}/iu,
            corpus,
          )
        : null,
  },
  {
    id: 'applet-out-of-sight',
    head: 'malware',
    says: 'puts a plug-in that nobody is to see into the page',
    find: ({ nodes, analysis: { corpus } }) =>
      nodes < 8000
        ? matchOf(
            /<(?:applet|object|embed)\b[^>]{0,300}\b(?:width|height)\s*=\s*\\?["']?[01]\b[^>]{0,200}/iu,
            corpus,
          )
        : null,
  },
  {
    id: 'plain-hidden-frame',
    head: 'malware',
    says: 'opens a frame that nobody is to see, over a connection that anyone can read',
    find: ({ nodes, ownHosts, analysis: { observed } }) =>
      nodes < 250 && observed.paths.has('<hidden frame>')
        ? first(
            observed.flows,
            ({ sink, address }) =>
              sink === 'frame' &&
              /^http:/iu.test(address) &&
              originOf(address, ownHosts) === 'other' &&
              !KNOWN_FRAMES.test(hostOf(address) ?? ''),
            describe,
          )
        : null,
  },
  {
    id: 'false-warning',
    head: 'malware',
    says: 'warns of a danger, holds on to the page and asks for a call',
    find: ({ nodes, analysis: { corpus } }) =>
      nodes < 2000 && /requestFullscreen|beforeunload|pushState|alert\s*\(/u.test(corpus)
        ? matchOf(
            /(?:virus|trojan|infected|(?:computer|pc|device|iphone)\b.{0,20}\b(?:blocked|locked))[\s\S]{0,300}?\bcall\b.{0,30}(?:support|now|\d)/iu,
            corpus,
          )
        : null,
  },
  {
    id: 'notices-by-deceit',
    head: 'malware',
    says: 'has visitors allow notices under a pretext',
    find: ({ has, nodes, analysis: { corpus } }) =>
      nodes < 3000 && has('notification')
        ? matchOf(
            /\b(?:press|click|tap)\s+\W{0,3}allow\b[^'"`]{0,60}(?:robot|human|watch|continue|confirm|download|age)/iu,
            corpus,
          )
        : null,
  },
  {
    id: 'address-exchanged',
    head: 'malware',
    says: 'puts another wallet in the place of one that is copied',
    find: ({ nodes, analysis: { corpus, observed } }) =>
      nodes < 3000 && observed.events.has('copy') && /clipboardData\W+setData/u.test(corpus)
        ? matchOf(/0x\[[\da-fA-F-]{3,12}\]\{40\}|\[13\]\[[\w-]{6,30}\]\{2\d,|bc1/u, corpus)
        : null,
  },
]
