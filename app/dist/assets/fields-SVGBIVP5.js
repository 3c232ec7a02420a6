import{g as a}from"./chunk-75FIRL4R.js";import"./chunk-ZD7VSF4O.js";import"./chunk-ND5L5NWD.js";import"./chunk-IRQBUW3C.js";export{a as default};
