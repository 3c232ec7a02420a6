import{g as a}from"./chunk-73IC54GF.js";import"./chunk-IDOFXE3M.js";import"./chunk-IEQ7JIAR.js";import"./chunk-6GB7QOGL.js";export{a as default};
