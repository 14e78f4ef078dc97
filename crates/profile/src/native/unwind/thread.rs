//! A thread that goes from a function to its caller: by what rules say of the place that it is at, or by a frame pointer.

use gimli::{
    CfaRule, EhFrame, Encoding, EndianSlice, EvaluationResult, Expression, Format, LittleEndian,
    Register, RegisterRule, UnwindExpression, UnwindTableRow, Value,
};

/// Most operations of an expression, which may hold a loop.
const MOST_OPERATIONS: u32 = 1_000;
/// What rules and expressions are written for.
pub(super) const ENCODING: Encoding = Encoding {
    address_size: 8,
    format: Format::Dwarf32,
    version: 5,
};

pub(super) type Bytes<'b> = EndianSlice<'b, LittleEndian>;
type Registers = [u64; machine::REGISTERS];

/// The processor's registers: which the kernel copies (`asm/perf_regs.h`), and their numbers in the files, in the kernel's order.
#[cfg(target_arch = "x86_64")]
pub(super) mod machine {
    pub(in crate::native) const WANTED: u64 = 0x00ff_01ff;
    pub(super) const ORDER: [usize; REGISTERS] =
        [0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15];
    pub(super) const REGISTERS: usize = 17;
    pub(super) const COUNTER: usize = 16;
    pub(super) const STACK: usize = 7;
    pub(super) const FRAME: usize = 6;
    /// Which bits of a return address are the address.
    pub(super) const CODE: u64 = u64::MAX;
    pub(in crate::native) const VENDOR: gimli::Vendor = gimli::Vendor::Default;
}

/// The processor's registers: which the kernel copies (`asm/perf_regs.h`), and their numbers in the files, in the kernel's order.
#[cfg(target_arch = "aarch64")]
pub(super) mod machine {
    pub(in crate::native) const WANTED: u64 = (1 << REGISTERS) - 1;
    pub(super) const ORDER: [usize; REGISTERS] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31, 32,
    ];
    pub(super) const REGISTERS: usize = 33;
    pub(super) const COUNTER: usize = 32;
    pub(super) const STACK: usize = 31;
    pub(super) const FRAME: usize = 29;
    /// Which bits of a return address are the address: those above may sign it.
    pub(super) const CODE: u64 = (1 << 48) - 1;
    pub(in crate::native) const VENDOR: gimli::Vendor = gimli::Vendor::AArch64;
}

/// Of other processors nothing is known. Where no register is wanted the kernel copies no stack: callers are seen by frame pointers
/// alone.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) mod machine {
    pub(in crate::native) const WANTED: u64 = 0;
    pub(super) const ORDER: [usize; REGISTERS] = [0, 1, 2];
    pub(super) const REGISTERS: usize = 3;
    pub(super) const COUNTER: usize = 0;
    pub(super) const STACK: usize = 1;
    pub(super) const FRAME: usize = 2;
    pub(super) const CODE: u64 = u64::MAX;
    pub(in crate::native) const VENDOR: gimli::Vendor = gimli::Vendor::Default;
}

/// A thread on its way from function to function.
pub(in crate::native) struct Thread<'s> {
    registers: Registers,
    /// Where the copied part of its stack begins.
    from: u64,
    stack: &'s [u8],
}

/// Where a step to the caller has led.
pub(super) enum Step {
    Caller,
    /// There is no caller.
    Root,
    /// Nobody knows, or it is on a part of the stack that was not copied.
    Lost,
}

impl<'s> Thread<'s> {
    /// As the kernel has copied it: the registers that are wanted, in its order, and the stack from its pointer on.
    pub(in crate::native) fn of(values: &[u64], stack: &'s [u8]) -> Option<Self> {
        if values.len() != machine::REGISTERS {
            return None;
        }
        let mut registers = [0; machine::REGISTERS];
        for (number, value) in machine::ORDER.iter().zip(values) {
            registers[*number] = *value;
        }
        Some(Self {
            registers,
            from: registers[machine::STACK],
            stack,
        })
    }

    /// Where it is.
    pub(super) fn address(&self) -> u64 {
        self.registers[machine::COUNTER]
    }

    fn register(&self, register: Register) -> Option<u64> {
        self.registers.get(usize::from(register.0)).copied()
    }

    fn read(&self, address: u64) -> Option<u64> {
        let at = usize::try_from(address.checked_sub(self.from)?).ok()?;
        let bytes = self.stack.get(at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Goes to the caller, as the rules for this address say; `column` is the register that they call the return address.
    pub(super) fn step(
        &mut self,
        frames: &EhFrame<Bytes<'_>>,
        row: &UnwindTableRow<usize>,
        column: Register,
        is_innermost: bool,
    ) -> Step {
        let top = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => self
                .register(*register)
                .map(|value| value.wrapping_add_signed(*offset)),
            CfaRule::Expression(expression) => self.evaluated(expression, None, frames),
        };
        let Some(top) = top else {
            return Step::Lost;
        };
        let rule = row.registers().find(|(register, _)| *register == column);
        let returns_to = match rule {
            // as long as it has called nothing, it may still be there
            None if is_innermost => self.register(column),
            None | Some((_, RegisterRule::Undefined)) => return Step::Root,
            Some((register, rule)) => self.value(*register, rule, top, frames),
        };
        let Some(returns_to) = returns_to else {
            return Step::Lost;
        };
        let mut caller = self.registers;
        for (register, rule) in row.registers() {
            let value = self.value(*register, rule, top, frames);
            // what lies where nothing was copied has been taken off the stack already
            if let (Some(value), Some(kept)) = (value, caller.get_mut(usize::from(register.0))) {
                *kept = value;
            }
        }
        caller[machine::STACK] = top;
        caller[machine::COUNTER] = returns_to & machine::CODE;
        self.go(&caller, is_innermost)
    }

    /// Goes to the caller, as the frame pointer says.
    pub(super) fn step_by_frame(&mut self) -> Step {
        let frame = self.registers[machine::FRAME];
        if frame == 0 {
            return Step::Root;
        }
        let before = self.read(frame);
        let (Some(before), Some(returns_to)) = (before, self.read(frame.wrapping_add(8))) else {
            return Step::Lost;
        };
        let mut caller = self.registers;
        caller[machine::FRAME] = before;
        caller[machine::STACK] = frame.wrapping_add(16);
        caller[machine::COUNTER] = returns_to & machine::CODE;
        self.go(&caller, false)
    }

    /// Up the stack only; a function that uses none of it has called nothing.
    fn go(&mut self, caller: &Registers, may_stay: bool) -> Step {
        let (old, new) = (self.registers[machine::STACK], caller[machine::STACK]);
        if new < old || (new == old && !may_stay) {
            return Step::Lost;
        }
        if caller[machine::COUNTER] == 0 {
            return Step::Root;
        }
        self.registers = *caller;
        Step::Caller
    }

    /// A register of the caller; `top` is where its part of the stack ends.
    fn value(
        &self,
        register: Register,
        rule: &RegisterRule<usize>,
        top: u64,
        frames: &EhFrame<Bytes<'_>>,
    ) -> Option<u64> {
        match rule {
            RegisterRule::SameValue => self.register(register),
            RegisterRule::Register(other) => self.register(*other),
            RegisterRule::Offset(by) => self.read(top.wrapping_add_signed(*by)),
            RegisterRule::ValOffset(by) => Some(top.wrapping_add_signed(*by)),
            RegisterRule::Expression(of) => self.read(self.evaluated(of, Some(top), frames)?),
            RegisterRule::ValExpression(of) => self.evaluated(of, Some(top), frames),
            _ => None,
        }
    }

    fn evaluated(
        &self,
        expression: &UnwindExpression<usize>,
        given: Option<u64>,
        frames: &EhFrame<Bytes<'_>>,
    ) -> Option<u64> {
        let expression: Expression<Bytes<'_>> = expression.get(frames).ok()?;
        let mut evaluation = expression.evaluation(ENCODING);
        evaluation.set_max_iterations(MOST_OPERATIONS);
        if let Some(given) = given {
            evaluation.set_initial_value(given);
        }
        let mut result = evaluation.evaluate().ok()?;
        loop {
            result = match result {
                EvaluationResult::Complete => {
                    return evaluation.value_result()?.to_u64(u64::MAX).ok();
                }
                EvaluationResult::RequiresRegister { register, .. } => {
                    let value = Value::Generic(self.register(register)?);
                    evaluation.resume_with_register(value).ok()?
                }
                EvaluationResult::RequiresMemory {
                    address, size: 8, ..
                } => {
                    let value = Value::Generic(self.read(address)?);
                    evaluation.resume_with_memory(value).ok()?
                }
                _ => return None,
            };
        }
    }
}
