import{G as i,ea as l,p as e}from"./chunk-NYLLQ6MN.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
