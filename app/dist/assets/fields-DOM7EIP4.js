import{i as a}from"./chunk-LIVDGDAP.js";import"./chunk-SUT7P42M.js";import"./chunk-NBUUR4Y7.js";import"./chunk-DPB7WV6G.js";export{a as default};
