<<<<<<<< HEAD:app/dist/assets/chunk-B6XTKQ6C.js
import{E as s,ba as r,c as n,d as c,n as i}from"./chunk-3IYA7HZD.js";function d({label:a,isOn:o,onChange:l,isDisabled:f}){let[h,t]=n(o);c(()=>t(o),[o]);async function b(e){t(e),await l(e)||t(!e)}return r("input",{type:"checkbox",role:"switch",class:"switch","aria-label":a,title:i.value?s.state.writesOff:a,checked:h,disabled:f||i.value,onChange:e=>{b(e.currentTarget.checked)}})}export{d as a};
========
import{D as s,aa as r,c as n,d as c,m as i}from"./chunk-UIX2XY7K.js";function d({label:a,isOn:o,onChange:l,isDisabled:f}){let[h,t]=n(o);c(()=>t(o),[o]);async function b(e){t(e),await l(e)||t(!e)}return r("input",{type:"checkbox",role:"switch",class:"switch","aria-label":a,title:i.value?s.state.writesOff:a,checked:h,disabled:f||i.value,onChange:e=>{b(e.currentTarget.checked)}})}export{d as a};
>>>>>>>> 169970d (app: Show all that events have):app/dist/assets/chunk-3GEKU4PT.js
