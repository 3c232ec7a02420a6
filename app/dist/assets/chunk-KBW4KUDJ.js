<<<<<<< HEAD:app/dist/assets/chunk-ZW5THIYH.js
<<<<<<<< HEAD:app/dist/assets/chunk-U7J7CKQ5.js
import{D as s,aa as r,c as n,d as c,m as i}from"./chunk-Z3OGILDL.js";function d({label:a,isOn:o,onChange:l,isDisabled:f}){let[h,t]=n(o);c(()=>t(o),[o]);async function b(e){t(e),await l(e)||t(!e)}return r("input",{type:"checkbox",role:"switch",class:"switch","aria-label":a,title:i.value?s.state.writesOff:a,checked:h,disabled:f||i.value,onChange:e=>{b(e.currentTarget.checked)}})}export{d as a};
========
import{D as s,aa as r,c as n,d as c,m as i}from"./chunk-5IBWICG6.js";function d({label:a,isOn:o,onChange:l,isDisabled:f}){let[h,t]=n(o);c(()=>t(o),[o]);async function b(e){t(e),await l(e)||t(!e)}return r("input",{type:"checkbox",role:"switch",class:"switch","aria-label":a,title:i.value?s.state.writesOff:a,checked:h,disabled:f||i.value,onChange:e=>{b(e.currentTarget.checked)}})}export{d as a};
>>>>>>>> a467db4 (app: Fetch the dialogs of links when the page is there):app/dist/assets/chunk-ZW5THIYH.js
=======
import{E as s,ba as r,c as n,d as c,n as i}from"./chunk-4CG5IAXG.js";function d({label:a,isOn:o,onChange:l,isDisabled:f}){let[h,t]=n(o);c(()=>t(o),[o]);async function b(e){t(e),await l(e)||t(!e)}return r("input",{type:"checkbox",role:"switch",class:"switch","aria-label":a,title:i.value?s.state.writesOff:a,checked:h,disabled:f||i.value,onChange:e=>{b(e.currentTarget.checked)}})}export{d as a};
>>>>>>> f19c9bd (app: Show tags, give them to links, and look after them):app/dist/assets/chunk-KBW4KUDJ.js
